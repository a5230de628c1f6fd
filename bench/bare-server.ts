import fastify from 'fastify'

// This Fastify server sends the same bytes for every request, which measures the minimal cost of a response. Its arguments are the port,
// and the URL from which it fetches the bytes once.

const [portText, sourceUrl] = process.argv.slice(2)
if (portText === undefined || sourceUrl === undefined) throw new Error('bare-server PORT URL')
const response = await fetch(sourceUrl)
if (!response.ok) throw new Error(`${sourceUrl} status ${response.status}`)
const bodyBytes = Buffer.from(await response.arrayBuffer())

const app = fastify()
app.get('*', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(bodyBytes)
})
await app.listen({ host: '127.0.0.1', port: Number(portText) })
