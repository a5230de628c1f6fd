import fastify from 'fastify'

// A Fastify handler that does nothing but send bytes: what an answer costs at least. Arguments: the port, and the address
// of the answer to send; it is fetched once and then sent for every request.

const [port, source] = process.argv.slice(2)
if (port === undefined || source === undefined) throw new Error('bare-server PORT URL')
const answer = await fetch(source)
if (!answer.ok) throw new Error(`${source} answered ${answer.status}`)
const bytes = Buffer.from(await answer.arrayBuffer())

const app = fastify()
app.get('/', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(bytes)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
