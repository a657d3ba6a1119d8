/** One request as it goes out. */
export interface HttpCallRequest {
  readonly url: URL;
  readonly method: string;
  /** By lower-case name; they may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Largest body of a reply, in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; one that came several times joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What http:// and https:// ask of the world: one exchange with one server. Redirects are answers, not followed. */
export interface HttpCaller {
  /**
   * @throws HelixError `HTTP.TARGET_UNREACHABLE`, `HTTP.TARGET_REFUSED`, `HTTP.UNREADABLE_REPLY`, or the reason of the
   * signal
   */
  call(request: HttpCallRequest): Promise<HttpAnswer>;
  /** Ends idle connections. */
  close(): void;
}
