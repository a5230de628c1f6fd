import { openStorage } from '../open.ts'

// Stores contact messages until the process is killed. Writes a line for each acknowledged write.
const [, , dataDir = ''] = process.argv
const storage = await openStorage({ dataDir })
for (let round = 0; ; round++) {
  const writePromises = Array.from({ length: 20 }, async (_, i) => {
    await storage.contacts.add({ topic: 'other', message: `${round}-${i}`, brandId: 'b', atMs: round })
    process.stdout.write('.\n')
  })
  await Promise.all(writePromises)
}
