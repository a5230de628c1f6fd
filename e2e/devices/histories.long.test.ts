import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPlanRunner, workloadByName } from './plan-runner.ts'
import { favoriteDefects, followDefects, playlistDefects, playlistOrderDefects } from './planted-defects.ts'
import type { PlantedDefects } from './simulation.ts'

let planRunner: Awaited<ReturnType<typeof openPlanRunner>>
beforeAll(async () => {
  planRunner = await openPlanRunner()
})
afterAll(() => planRunner.close())

describe('histories reveal a planted defect', () => {
  it.each(Object.entries<PlantedDefects>(favoriteDefects))(
    'random histories reveal a planted defect of favorites: %s',
    async (_, defect) => {
      expect(await planRunner.findBrokenLaws(workloadByName['a single favorite'], defect)).not.toEqual([])
    },
  )
  it.each(Object.entries<PlantedDefects>(followDefects))(
    'random histories reveal a planted defect of followed artists: %s',
    async (_, defect) => {
      expect(await planRunner.findBrokenLaws(workloadByName['a single follow'], defect)).not.toEqual([])
    },
  )
  it.each(Object.entries<PlantedDefects>(playlistDefects))(
    'random histories reveal a planted defect of own playlists: %s',
    async (_, defect) => {
      expect(await planRunner.findBrokenLaws(workloadByName['own playlists'], defect)).not.toEqual([])
    },
  )
  it.each(Object.entries<PlantedDefects>(playlistOrderDefects))(
    'random histories reveal a planted defect of the titles of own playlists: %s',
    async (_, defect) => {
      expect(await planRunner.findBrokenLaws(workloadByName['titles of own playlists'], defect)).not.toEqual([])
    },
  )
})

const TIMEOUT_MS = 60 * 60_000

it('10,000 random histories of favorites on several devices break no law of consistency', { timeout: TIMEOUT_MS }, () =>
  planRunner.expectLawful('favorites', workloadByName.favorites, 10_000),
)

it('10,000 random histories of own playlists on several devices break no law of consistency', { timeout: TIMEOUT_MS }, () =>
  planRunner.expectLawful('own playlists', workloadByName['own playlists'], 10_000),
)

it('10,000 random histories of followed artists on several devices break no law of consistency', { timeout: TIMEOUT_MS }, () =>
  planRunner.expectLawful('followed artists', workloadByName.follows, 10_000),
)

it('random histories with the routes of the server break no law of consistency', async () => {
  const runnerWithRoutes = await openPlanRunner({ withRoutes: true })
  try {
    await runnerWithRoutes.expectLawful('favorites', workloadByName.favorites, 1_000)
    await runnerWithRoutes.expectLawful('own playlists', workloadByName['own playlists'], 1_000)
    await runnerWithRoutes.expectLawful('followed artists', workloadByName.follows, 1_000)
  } finally {
    await runnerWithRoutes.close()
  }
})
