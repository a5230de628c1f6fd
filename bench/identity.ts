import { createPasswordHasher } from '../server/identity/passwords.ts'
import { createSdkCalls } from '../server/identity/testing/sdk-calls.ts'
import { createTestApp } from '../server/test-app.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- identity`: checks that response times do not reveal whether an email address has an account.

const ACCOUNT_COUNT = 60
const ROUND_COUNT = 4
/** The highest accepted z-score of the Mann-Whitney test. Chance exceeds it once in 15,000 runs. */
const Z_SCORE_MAX = 4

/** Returns the z-score of the Mann-Whitney U test. */
function computeMannWhitneyZ(firstTimes: readonly number[], secondTimes: readonly number[]): number {
  const sortedTimes = [...firstTimes.map((ms) => ({ ms, first: true })), ...secondTimes.map((ms) => ({ ms, first: false }))].sort(
    (x, y) => x.ms - y.ms,
  )
  const rankSum = sortedTimes.reduce((sum, { first: isInFirstGroup }, index) => sum + (isInFirstGroup ? index + 1 : 0), 0)
  const mannWhitneyU = rankSum - (firstTimes.length * (firstTimes.length + 1)) / 2
  return (
    (mannWhitneyU - (firstTimes.length * secondTimes.length) / 2) /
    Math.sqrt((firstTimes.length * secondTimes.length * (firstTimes.length + secondTimes.length + 1)) / 12)
  )
}

const site = await createTestApp({ LOG_LEVEL: 'silent' }, { hasProductionPasswordCost: true })
const identityCalls = createSdkCalls(site)
const passwordHash = await createPasswordHasher().hash('known', 'the right one')
for (let i = 0; i < ACCOUNT_COUNT; i++) {
  const account = { uid: `uid-${i}`, email: `known-${i}@example.com`, passwordHash, atMs: Date.now() }
  if (!(await site.storage.accounts.create(account))) throw new Error('The account could not be made')
}

/** Sends requests for known and unknown addresses alternately, each from another IP address, and compares the response times. */
async function compareResponseTimes(
  figureName: string,
  expectedStatus: number,
  sendRequest: (email: string, ipAddress: string) => Promise<{ statusCode: number }>,
): Promise<boolean> {
  const timesMs = { known: [] as number[], unknown: [] as number[] }
  let clientNumber = 0
  for (let round = -1; round < ROUND_COUNT; round++) {
    for (let accountIndex = 0; accountIndex < ACCOUNT_COUNT; accountIndex++) {
      const addressKinds = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const addressKind of addressKinds) {
        clientNumber++
        const startMs = performance.now()
        const response = await sendRequest(
          `${addressKind}-${accountIndex}@example.com`,
          `10.${clientNumber >> 16}.${(clientNumber >> 8) & 255}.${clientNumber & 255}`,
        )
        const attemptMs = performance.now() - startMs
        if (response.statusCode !== expectedStatus) throw new Error(`${figureName}: the answer was ${response.statusCode}`)
        // The response times of the first round are discarded, because the server's code is not compiled yet.
        if (round >= 0) timesMs[addressKind].push(attemptMs)
      }
    }
  }
  reportFigure(`${figureName}, known address, median`, computeMedian(timesMs.known), 'ms')
  reportFigure(`${figureName}, unknown address, median`, computeMedian(timesMs.unknown), 'ms')
  return reportFigure(`${figureName}, difference against chance`, Math.abs(computeMannWhitneyZ(timesMs.known, timesMs.unknown)), 'sd', {
    atMost: Z_SCORE_MAX,
  })
}

const goalResults = [
  await compareResponseTimes('log-in', 400, (email, from) => identityCalls.signIn(email, 'a wrong one', { ipAddress: from })),
  await compareResponseTimes('asking for a reset', 200, (email, from) => identityCalls.sendReset(email, { ipAddress: from })),
]
await site.close()
process.exitCode = goalResults.every((each) => each) ? 0 : 1
