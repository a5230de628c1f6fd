import { expect, it, vi } from 'vitest'
import type { Member } from '../../contract/community.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createCommunity } from './community.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { rowValidators } from './row-shapes.ts'
import { createTestMember } from './testing/rows.ts'

const connection = { offline: false, subscribe: () => () => {} }
const createFailingApi = (error: ApiCallError): Api => ({ call: () => Promise.reject(error) })
const offlineApi = createFailingApi(new ApiCallError('network', 0, 'No connection.'))
const stats = { members: 3, subs: 12, views: 34 }
const supporters = [{ domain_name: 'aria', name: 'Aria', profile_pic: '/img/supporter/aria' }]

/** A simulated API that answers with the given members. A request for testimonials is answered with those members who have one. */
function createCommunityApi(members: readonly Member[]) {
  const responsesByEndpoint: Record<string, unknown> = {
    'GET /member/all': members,
    'GET /member/testimonial': members.filter(({ testimonial }) => testimonial !== ''),
    'GET /member/stats': stats,
    'GET /subscriber/getsubscriberssite': supporters,
  }
  const apiCalls: [string, unknown][] = []
  const api = {
    async call(endpointKey: string, requestBody: unknown) {
      apiCalls.push([endpointKey, requestBody])
      return responsesByEndpoint[endpointKey]
    },
  } as Api
  return { api, calls: apiCalls }
}

it('community: after one visit, members, testimonials, stats and supporters can be read without a connection', async () => {
  const database = createMemoryDatabase()
  const members = [createTestMember(1, { testimonial: 'Good.' }), createTestMember(2)]
  const { api, calls } = createCommunityApi(members)
  const community = createCommunity({ api, database, connection })
  for (const name of ['members', 'testimonials', 'stats', 'supporters'] as const) await community[name]().refresh()
  expect(calls).toContainEqual(['GET /member/all', { limit: 10_000 }])

  const laterVisit = createCommunity({ api: offlineApi, database, connection })
  const waitForShownData = async (resourceName: 'members' | 'testimonials' | 'stats' | 'supporters') => {
    await laterVisit[resourceName]().waitUntilOpened()
    await laterVisit[resourceName]().refresh()
    return laterVisit[resourceName]().getSnapshot()
  }
  expect(await waitForShownData('members')).toMatchObject({ data: members, status: 'ready', stale: true })
  expect(await waitForShownData('testimonials')).toMatchObject({ data: members.slice(0, 1) })
  expect(await waitForShownData('stats')).toMatchObject({ data: stats })
  expect(await waitForShownData('supporters')).toMatchObject({ data: supporters })
})

it("community: a refresh takes the server's order and deletes members that are no longer in any list", async () => {
  const database = createMemoryDatabase()
  const [firstMember, secondMember, thirdMember] = [createTestMember(1, { testimonial: 'Good.' }), createTestMember(2), createTestMember(3)]
  const firstVisit = createCommunity({ api: createCommunityApi([firstMember, secondMember, thirdMember]).api, database, connection })
  await firstVisit.members().refresh()
  await firstVisit.testimonials().refresh()
  const renamedMember = { ...thirdMember, channel_name: 'Renamed' }
  const laterVisit = createCommunity({ api: createCommunityApi([renamedMember, secondMember]).api, database, connection })
  await laterVisit.members().refresh()
  await vi.waitFor(() => expect(laterVisit.members().getSnapshot().data).toEqual([renamedMember, secondMember]))
  // The member stays stored, because the list of testimonials, which contains it, was not refreshed.
  expect((await database.read((tables) => tables.members.keys())).sort()).toEqual(['UC1', 'UC2', 'UC3'])
  await laterVisit.testimonials().refresh()
  expect((await database.read((tables) => tables.members.keys())).sort()).toEqual(['UC2', 'UC3'])
})

it('community: the members that are in the HTML are shown immediately, and the remaining members are requested', async () => {
  const members = [createTestMember(1), createTestMember(2)]
  const { api, calls } = createCommunityApi(members)
  const initialData = { members: { rows: members.slice(0, 1), complete: false } }
  const resource = createCommunity({ api, database: createMemoryDatabase(), connection, initialData }).members()
  expect(resource.getSnapshot()).toMatchObject({ data: members.slice(0, 1), status: 'ready' })
  await resource.refresh()
  expect(resource.getSnapshot().data).toEqual(members)
  expect(calls).toHaveLength(1)

  const completeCommunity = createCommunity({
    api: offlineApi,
    database: createMemoryDatabase(),
    connection,
    initialData: { members: { rows: members, complete: true } },
  }).members()
  await completeCommunity.refresh()
  expect(completeCommunity.getSnapshot()).toMatchObject({ data: members, error: undefined })
})

it('community: if the server answers with a status other than 200, the list stays empty and is no longer shown as loading', async () => {
  const api = createFailingApi(new ApiCallError('api', 503, 'Shutting down.'))
  const resource = createCommunity({ api, database: createMemoryDatabase(), connection }).members()
  await resource.refresh()
  expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'error', error: { kind: 'api' } })
})

it('community: stored rows that do not have the expected shape are invalid', () => {
  expect(rowValidators.members(createTestMember(1))).toBe(true)
  expect(rowValidators.members({ ...createTestMember(1), subs: 'many' })).toBe(false)
  expect(rowValidators.supporters({ domain_name: 'aria' })).toBe(false)
  expect(rowValidators.memberStats({ key: 'stats', stats: { members: 1 } })).toBe(false)
})
