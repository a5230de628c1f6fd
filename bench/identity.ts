import { createPasswordHasher } from '../server/identity/passwords.ts'
import { createSdkCalls } from '../server/identity/testing/sdk-calls.ts'
import { createTestApp } from '../server/test-app.ts'
import { median, reportFigure } from './report.ts'

// `npm run bench -- identity`: checks that response times do not reveal whether an email address has an account.

const ACCOUNT_COUNT = 60
const ROUND_COUNT = 4
/** The highest accepted z-score of the Mann-Whitney test. Chance exceeds it once in 15,000 runs. */
const Z_MAX = 4

/** Returns the z-score of the Mann-Whitney U test. */
function mannWhitneyZ(a: readonly number[], b: readonly number[]): number {
  const sortedTimes = [...a.map((ms) => ({ ms, first: true })), ...b.map((ms) => ({ ms, first: false }))].sort((x, y) => x.ms - y.ms)
  const rankSum = sortedTimes.reduce((sum, { first: isInFirstGroup }, index) => sum + (isInFirstGroup ? index + 1 : 0), 0)
  const u = rankSum - (a.length * (a.length + 1)) / 2
  return (u - (a.length * b.length) / 2) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
}

const site = await createTestApp({ LOG_LEVEL: 'silent' }, { hasProductionHashes: true })
const identityCalls = createSdkCalls(site)
const passwordHash = await createPasswordHasher().hash('known', 'the right one')
for (let i = 0; i < ACCOUNT_COUNT; i++) {
  const account = { uid: `uid-${i}`, email: `known-${i}@example.com`, passwordHash, atMs: Date.now() }
  if (!(await site.storage.accounts.create(account))) throw new Error('The account could not be made')
}

/** Sends requests for known and unknown addresses alternately, each from another IP address, and compares the response times. */
async function compareResponseTimes(
  name: string,
  expectedStatus: number,
  sendRequest: (email: string, ipAddress: string) => Promise<{ statusCode: number }>,
): Promise<boolean> {
  const timesMs = { known: [] as number[], unknown: [] as number[] }
  let clientNumber = 0
  for (let round = -1; round < ROUND_COUNT; round++) {
    for (let i = 0; i < ACCOUNT_COUNT; i++) {
      const kinds = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const kind of kinds) {
        clientNumber++
        const startMs = performance.now()
        const response = await sendRequest(
          `${kind}-${i}@example.com`,
          `10.${clientNumber >> 16}.${(clientNumber >> 8) & 255}.${clientNumber & 255}`,
        )
        const ms = performance.now() - startMs
        if (response.statusCode !== expectedStatus) throw new Error(`${name}: the answer was ${response.statusCode}`)
        // The response times of the first round are discarded, because the server's code is not compiled yet.
        if (round >= 0) timesMs[kind].push(ms)
      }
    }
  }
  reportFigure(`${name}, known address, median`, median(timesMs.known), 'ms')
  reportFigure(`${name}, unknown address, median`, median(timesMs.unknown), 'ms')
  return reportFigure(`${name}, difference against chance`, Math.abs(mannWhitneyZ(timesMs.known, timesMs.unknown)), 'sd', { atMost: Z_MAX })
}

const results = [
  await compareResponseTimes('log-in', 400, (email, from) => identityCalls.signIn(email, 'a wrong one', { ipAddress: from })),
  await compareResponseTimes('asking for a reset', 200, (email, from) => identityCalls.sendReset(email, { ipAddress: from })),
]
await site.close()
process.exitCode = results.every((each) => each) ? 0 : 1
