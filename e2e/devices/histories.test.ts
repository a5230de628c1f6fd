import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPlanRunner, workloadByName } from './plan-runner.ts'
import { favoriteDefects, followDefects, lastArrivalWins, playlistDefects } from './planted-defects.ts'

// A small number of the random histories of `histories.long.test.ts`.

const TIMEOUT_MS = 120_000
let planRunner: Awaited<ReturnType<typeof openPlanRunner>>
beforeAll(async () => {
  planRunner = await openPlanRunner()
})
afterAll(() => planRunner.close())

it(
  'random histories of favorites on several devices break no law of consistency',
  () => planRunner.expectLawful('favorites', workloadByName.favorites, 10),
  TIMEOUT_MS,
)
it(
  'random histories of own playlists on several devices break no law of consistency',
  () => planRunner.expectLawful('own playlists', workloadByName['own playlists'], 10),
  TIMEOUT_MS,
)
it(
  'random histories of followed artists on several devices break no law of consistency',
  () => planRunner.expectLawful('followed artists', workloadByName.follows, 10),
  TIMEOUT_MS,
)

it('histories reveal a planted defect: a change is removed from the outbox before the server has answered', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { forgetfulOutbox } = favoriteDefects
  expect(await planRunner.findBrokenLaws(workloadByName['a single favorite'], forgetfulOutbox)).not.toEqual([])
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], forgetfulOutbox)).not.toEqual([])
})

it('histories reveal a planted defect: changes without an account are not stored', { timeout: TIMEOUT_MS }, async () => {
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], playlistDefects.noAnonymousEdits)).not.toEqual([])
  expect(await planRunner.findBrokenLaws(workloadByName['a single follow'], followDefects.noAnonymousEdits)).toEqual(['read your writes'])
})

it('histories reveal a planted defect: entries are placed at the start', { timeout: TIMEOUT_MS }, async () => {
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], playlistDefects.placedAtStart)).toEqual(['placement'])
})

it('histories reveal a planted defect: a stored playlist is shown in reversed order', { timeout: TIMEOUT_MS }, async () => {
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], playlistDefects.reversedOrder)).not.toEqual([])
})

it('histories reveal a planted defect: the songs of a response are not stored', { timeout: TIMEOUT_MS }, async () => {
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], playlistDefects.noSongs)).toContain('songs')
  expect(await planRunner.findBrokenLaws(workloadByName['a single favorite'], favoriteDefects.noSongs)).toContain('songs')
})

it('histories reveal a planted defect: a change is applied without its last entry', { timeout: TIMEOUT_MS }, async () => {
  expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], playlistDefects.partialChange)).not.toEqual([])
})

// The tests below use fixed plans, because random plans reveal their defects only in some runs.

const createEdit = (device: number, favorite: boolean) => ({ kind: 'edit' as const, device, tab: 0, edit: { songs: [0], favorite } })
const createSyncEvent = (device: number, ...outcomes: 'response lost'[]) => ({
  kind: 'sync' as const,
  tabs: [{ device, tab: 0, outcomes }],
})

it('histories reveal a planted defect: of two changes of a favorite, the one that arrives last wins', { timeout: TIMEOUT_MS }, async () => {
  const simulationPlan = {
    devices: [
      { tabs: 1, skewHours: 0, signedIn: true },
      { tabs: 1, skewHours: 0, signedIn: true },
    ],
    steps: [
      ...[createSyncEvent(0), createSyncEvent(1), createEdit(0, true), { kind: 'advance clock' as const, minutes: 5 }],
      ...[createEdit(1, false), createSyncEvent(1), createSyncEvent(0)],
    ],
  }
  expect(await planRunner.run(workloadByName['a single favorite'], simulationPlan)).toEqual([])
  const violations = await planRunner.run(workloadByName['a single favorite'], simulationPlan, lastArrivalWins)
  expect(violations.map(({ law }) => law)).toContain('later tap wins')
})

it('histories reveal a planted defect: a change that is sent twice is applied twice', { timeout: TIMEOUT_MS }, async () => {
  const simulationPlan = {
    devices: [
      { tabs: 1, skewHours: 12, signedIn: true },
      { tabs: 1, skewHours: 0, signedIn: true },
    ],
    steps: [createEdit(0, true), createSyncEvent(0, 'response lost'), createSyncEvent(1), createEdit(1, false), createSyncEvent(1)],
  }
  const replaceRequestBody = async (body: string) => body.replaceAll(/"id":"[^"]+"/g, () => `"id":"${crypto.randomUUID()}"`)
  expect(await planRunner.run(workloadByName['a single favorite'], simulationPlan)).toEqual([])
  expect(await planRunner.run(workloadByName['a single favorite'], simulationPlan, { replaceRequestBody })).not.toEqual([])
})
