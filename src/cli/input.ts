// Reads piped input of a command.

export async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
