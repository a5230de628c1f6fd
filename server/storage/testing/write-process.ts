import { DAY_MS } from '../../durations.ts'
import { openStorage } from '../open.ts'

// Stores contact messages until the process is killed, 20 for each simulated day, because the number in a day is limited. Writes a line for
// each acknowledged write.
const [, , dataDir = ''] = process.argv
const writeStorage = await openStorage({ dataDir })
for (let round = 0; ; round++) {
  const writePromises = Array.from({ length: 20 }, async (_, writeIndex) => {
    await writeStorage.contacts.add({ topic: 'other', message: `${round}-${writeIndex}`, brandId: 'b', atMs: round * DAY_MS })
    process.stdout.write('.\n')
  })
  await Promise.all(writePromises)
}
