import fastify from 'fastify'

// This Fastify server sends the same bytes for every request, which measures the minimal cost of a response. Its arguments are the port,
// and the URL from which it fetches the bytes once.

const [port, source] = process.argv.slice(2)
if (port === undefined || source === undefined) throw new Error('bare-server PORT URL')
const response = await fetch(source)
if (!response.ok) throw new Error(`${source} status ${response.status}`)
const bytes = Buffer.from(await response.arrayBuffer())

const app = fastify()
app.get('*', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(bytes)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
