import { createPasswords } from '../server/identity/passwords.ts'
import { sdkCalls } from '../server/identity/testing/sdk-calls.ts'
import { createTestApp } from '../server/test-app.ts'
import { median, report } from './report.ts'

// Whether the time of an answer tells if an address has an account. `npm run bench -- identity`

const ACCOUNTS = 60
const ROUNDS = 4
/** Standard deviations of the Mann-Whitney statistic: beyond it, chance is an explanation once in 15,000 runs. */
const Z_MAX = 4

/** How far the times of one kind stand before those of the other, in standard deviations of chance. */
function mannWhitneyZ(a: readonly number[], b: readonly number[]): number {
  const sorted = [...a.map((ms) => ({ ms, first: true })), ...b.map((ms) => ({ ms, first: false }))].sort((x, y) => x.ms - y.ms)
  const rankSum = sorted.reduce((sum, { first }, index) => sum + (first ? index + 1 : 0), 0)
  const u = rankSum - (a.length * (a.length + 1)) / 2
  return (u - (a.length * b.length) / 2) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
}

const site = await createTestApp({ LOG_LEVEL: 'silent' })
const sdk = sdkCalls(site)
const passwordHash = await createPasswords().hash('known', 'the right one')
for (let i = 0; i < ACCOUNTS; i++) {
  const account = { uid: `uid-${i}`, email: `known-${i}@example.com`, passwordHash, atMs: Date.now() }
  if (!(await site.storage.accounts.create(account))) throw new Error('The account could not be made')
}

/** Asks for known and unknown addresses in turns, each from a client of its own, and compares the times. */
async function compare(
  name: string,
  status: number,
  ask: (email: string, from: string) => Promise<{ statusCode: number }>,
): Promise<boolean> {
  const times = { known: [] as number[], unknown: [] as number[] }
  let client = 0
  for (let round = -1; round < ROUNDS; round++) {
    for (let i = 0; i < ACCOUNTS; i++) {
      const kinds = Math.random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
      for (const kind of kinds) {
        client++
        const startMs = performance.now()
        const answer = await ask(`${kind}-${i}@example.com`, `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`)
        const ms = performance.now() - startMs
        if (answer.statusCode !== status) throw new Error(`${name}: the answer was ${answer.statusCode}`)
        // The first round warms up.
        if (round >= 0) times[kind].push(ms)
      }
    }
  }
  report(`${name}, known address, median`, median(times.known), 'ms')
  report(`${name}, unknown address, median`, median(times.unknown), 'ms')
  return report(`${name}, difference against chance`, Math.abs(mannWhitneyZ(times.known, times.unknown)), 'sd', { atMost: Z_MAX })
}

const kept = [
  await compare('log-in', 400, (email, from) => sdk.signIn(email, 'a wrong one', { from })),
  await compare('asking for a reset', 200, (email, from) => sdk.sendReset(email, { from })),
]
await site.close()
process.exitCode = kept.every((each) => each) ? 0 : 1
