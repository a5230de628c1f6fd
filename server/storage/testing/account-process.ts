import { openStorage } from '../open.ts'

// Signs up accounts and changes their passwords, until the process is killed. Writes a line for each acknowledged change.
const [, , dataDir = ''] = process.argv
const { accounts } = await openStorage({ dataDir })
const loginOf = (name: string, password: string) => ({
  familyId: `${name} ${password}`,
  tokenHash: `${name} ${password} token`,
  authTimeMs: 1,
  loginId: `${name} ${password} login`,
  device: '',
  network: '',
})
for (let round = 0; ; round++) {
  const changes = Array.from({ length: 10 }, async (_, i) => {
    const name = `${round}-${i}`
    await accounts.create({ uid: name, email: `${name}@example.com`, passwordHash: 'first', atMs: 1 }, loginOf(name, 'first'))
    process.stdout.write('.\n')
    await accounts.setPassword(name, 'first', 'second', 2, loginOf(name, 'second'))
    process.stdout.write('.\n')
  })
  await Promise.all(changes)
}
