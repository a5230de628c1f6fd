import { openStorage } from '../open.ts'

// Signs up accounts and changes their passwords, until the process is killed. Writes a line for each acknowledged change.
const [, , dataDir = ''] = process.argv
const { accounts } = await openStorage({ dataDir })
const createLogin = (loginName: string, password: string) => ({
  familyId: `${loginName} ${password}`,
  tokenHash: `${loginName} ${password} token`,
  authTimeMs: 1,
  loginId: `${loginName} ${password} login`,
  device: '',
  network: '',
})
for (let round = 0; ; round++) {
  const runningChanges = Array.from({ length: 10 }, async (_, changeIndex) => {
    const accountName = `${round}-${changeIndex}`
    await accounts.create(
      { uid: accountName, email: `${accountName}@example.com`, passwordHash: 'first', atMs: 1 },
      createLogin(accountName, 'first'),
    )
    process.stdout.write('.\n')
    await accounts.setPassword(accountName, 'first', 'second', 2, createLogin(accountName, 'second'))
    process.stdout.write('.\n')
  })
  await Promise.all(runningChanges)
}
