// A PostgreSQL server for the bench.
export async function startServer(): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  return undefined;
}
export async function createDatabase(server: string, name: string): Promise<string> {
  return server + name;
}
