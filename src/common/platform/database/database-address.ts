/** How to reach a database, as `pg` and TypeORM both take it. `host` may be the folder of a Unix socket. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}
