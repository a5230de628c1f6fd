import { openStorage } from '../open.ts'

// A process of its own that signs people up and changes their passwords until it is killed; a line for each change that was
// acknowledged.
const [, , dataDir = ''] = process.argv
const { accounts } = await openStorage({ dataDir })
const session = (name: string, change: string) => ({ familyId: `${name} ${change}`, tokenHash: `${name} ${change} token`, authTimeMs: 1 })
for (let round = 0; ; round++) {
  const changes = Array.from({ length: 10 }, async (_, i) => {
    const name = `${round}-${i}`
    await accounts.create({ uid: name, email: `${name}@example.com`, passwordHash: 'first', atMs: 1 }, session(name, 'first'))
    process.stdout.write('.\n')
    await accounts.setPassword(name, 'first', 'second', 2, session(name, 'second'))
    process.stdout.write('.\n')
  })
  await Promise.all(changes)
}
