import { openStorage } from '../open.ts'

// A process of its own that writes until it is killed, and says a line for each write that was acknowledged.
const [, , dataDir = ''] = process.argv
const storage = await openStorage({ dataDir })
for (let round = 0; ; round++) {
  const writes = Array.from({ length: 20 }, async (_, i) => {
    await storage.contacts.add({ topic: 'other', message: `${round}-${i}`, brandId: 'b', atMs: round })
    process.stdout.write('.\n')
  })
  await Promise.all(writes)
}
