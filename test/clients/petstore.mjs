// A small API with its own document, for tools that are made from one.
import { createServer } from 'node:http';

const pets = [
  { id: 1, name: 'Rex' },
  { id: 2, name: 'Tom' },
];

export async function openPetstore() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const id = Number(/^\/pets\/(\d+)$/.exec(pathname)?.[1]);
    const answer =
      pathname === '/openapi.json'
        ? describe(`http://${request.headers.host}`)
        : pathname === '/pets'
          ? pets
          : pets.find((pet) => pet.id === id);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { title: 'Not found' }));
  });
  await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/openapi.json`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function describe(url) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Petstore', version: '1' },
    servers: [{ url }],
    paths: {
      '/pets': {
        get: { operationId: 'list_pets', summary: 'List all pets' },
        post: { operationId: 'add_pet', summary: 'Add a pet' },
      },
      '/pets/{id}': { get: { operationId: 'get_pet', summary: 'Find a pet by id', parameters: [id] } },
    },
  };
}
