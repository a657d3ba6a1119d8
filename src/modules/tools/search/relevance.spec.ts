import { describe, expect, it } from 'vitest';
import { ToolIndex } from './tool-index.js';
import { toolNamed } from './testing/tool-named.js';

/** A catalogue as a company has it: several ways to write, near neighbours, long descriptions. */
const index = ToolIndex.of(
  [
    ['crm_contact_create', 'Adds a person to the CRM.', 'firstName lastName email phone company'],
    ['crm_contact_search', 'Finds people in the CRM by name or e-mail.', 'text limit'],
    ['crm_contact_delete', 'Removes a person from the CRM for good.', 'contactId'],
    ['crm_company_enrich', 'Looks up size, industry and funding of a firm by its domain.', 'domain'],
    ['hunter_email_verify', 'Checks whether an e-mail address can receive mail.', 'address'],
    ['hunter_email_find', 'Guesses the work e-mail of a person at a company.', 'firstName lastName domain'],
    ['gmail_send', 'Sends an e-mail from the mailbox of the user.', 'to subject body attachments'],
    ['slack_post_message', 'Posts to a channel or a thread.', 'channel text threadId'],
    ['twilio_sms', 'Sends a text to a mobile phone.', 'to text'],
    ['stripe_refund_create', 'Gives money of a charge back to the customer.', 'chargeId amount reason'],
    ['stripe_invoice_list', 'Lists the invoices of a customer.', 'customerId status'],
    ['stripe_charge_get', 'Reads one payment.', 'chargeId'],
    ['jira_issue_create', 'Opens an issue in a project.', 'project title description assignee'],
    ['jira_issue_transition', 'Moves an issue to another status.', 'issueKey status'],
    ['github_pull_request_merge', 'Merges a pull request once its checks pass.', 'repo number method'],
    ['github_repository_list', 'Lists the repositories of an organization.', 'organization'],
    ['s3_object_put', 'Uploads a file to a bucket.', 'bucket key content'],
    ['s3_object_get', 'Downloads a file from a bucket.', 'bucket key'],
    ['weather_forecast', 'The weather of the coming days at a place.', 'city days'],
    ['translate_text', 'Translates a text into another language.', 'text targetLanguage'],
    ['documents_summarize', 'Makes a digest of a long document.', 'url maxWords'],
    [
      'calendar_event_create',
      'Puts a meeting into the calendar and invites people.',
      'title start end invitees',
    ],
    ['calendar_free_busy', 'Tells when people have time.', 'people from to'],
    ['postgres_query', 'Runs a read-only SQL statement.', 'sql parameters'],
    ['image_generate', 'Draws a picture from a description.', 'prompt size'],
    ['currency_convert', 'Converts an amount between currencies at the rate of the day.', 'amount from to'],
    ['employee_directory_lookup', 'Finds a colleague with phone, team and manager.', 'name'],
    ['shipment_track', 'Where a parcel is and when it arrives.', 'trackingNumber'],
    ['order_lookup', 'Finds an order by its number.', 'orderNumber'],
    ['order_cancel', 'Stops an order that has not been shipped.', 'orderNumber reason'],
  ].map(([id = '', description = '', fields = '']) => toolNamed(id, description, fields.split(' '))),
);

/** What people type, and the tool that they mean. */
const questions: readonly (readonly [string, string])[] = [
  ['send an email', 'gmail_send'],
  ['send mail to a customer', 'gmail_send'],
  ['verify email address', 'hunter_email_verify'],
  ['is this e-mail valid', 'hunter_email_verify'],
  ['find the email of a person', 'hunter_email_find'],
  ['refund a payment', 'stripe_refund_create'],
  ['give the customer the money back', 'stripe_refund_create'],
  ['list bills', 'stripe_invoice_list'],
  ['invoices', 'stripe_invoice_list'],
  ['open a bug', 'jira_issue_create'],
  ['create ticket', 'jira_issue_create'],
  ['merge pr pull request', 'github_pull_request_merge'],
  ['repos', 'github_repository_list'],
  ['upload file', 's3_object_put'],
  ['download document', 's3_object_get'],
  ['forcast', 'weather_forecast'],
  ['wether', 'weather_forecast'],
  ['translat', 'translate_text'],
  ['tranlsate text', 'translate_text'],
  ['summarise a document', 'documents_summarize'],
  ['schedule a meeting', 'calendar_event_create'],
  ['appointment', 'calendar_event_create'],
  ['when are people free', 'calendar_free_busy'],
  ['run sql query', 'postgres_query'],
  ['database', 'postgres_query'],
  ['generate a picture', 'image_generate'],
  ['convert currency', 'currency_convert'],
  ['exchange rate of the day', 'currency_convert'],
  ['phone of a colleague', 'employee_directory_lookup'],
  ['track parcel', 'shipment_track'],
  ['get order', 'order_lookup'],
  ['abort order', 'order_cancel'],
  ['company domain industry', 'crm_company_enrich'],
  ['add contact', 'crm_contact_create'],
  ['delete contact', 'crm_contact_delete'],
  ['search person by name', 'crm_contact_search'],
  ['text message to mobile', 'twilio_sms'],
  ['post to slack channel', 'slack_post_message'],
  ['SlackPostMessage', 'slack_post_message'],
  ['trackingNumber', 'shipment_track'],
];

describe('what people mean', () => {
  it.each(questions)('%s → among the first three: %s', (text, meant) => {
    const { tools } = index.search(text, 3, () => true);
    expect(tools.map(({ id }) => id)).toContain(meant);
  });

  it('is the first answer to nine questions of ten', () => {
    const right = questions.filter(
      ([text, meant]) => index.search(text, 1, () => true).tools[0]?.id === meant,
    );
    const missed = questions.filter((question) => !right.includes(question));
    expect(missed.slice(questions.length / 10)).toEqual([]);
  });
});
