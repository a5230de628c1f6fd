import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { FavoriteChange, FavoriteSynced } from '../../../contract/favorite.ts'
import { type StorageFixture, song, songId, view } from './fixture.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const DEVICES = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000', 'eeeeeeee-0000-4000-8000-000000000000']
const KNOWN_SONGS = 3

interface Row {
  favorite: boolean
  at: number
  device: string
  claimed: number
}

/** The rule of the merge, word for word, without a database. */
function plainModel() {
  const rows = new Map<string, Row>()
  const applied = new Set<string>()
  let version = 0
  return {
    rows,
    version: () => version,
    tell(changes: readonly FavoriteChange[], now: number): string[] {
      const refused: string[] = []
      const seen = new Set<string>()
      for (const { id, s, favorite, at, device } of changes) {
        if (applied.has(id) || seen.has(id)) continue
        seen.add(id)
        if (favorite && s > songId(KNOWN_SONGS)) {
          refused.push(id)
          continue
        }
        applied.add(id)
        const claimed = Date.parse(at)
        const counts = Math.min(Math.max(claimed, Date.parse('2000-01-01T00:00:00Z')), now)
        const row = rows.get(s)
        if (row === undefined) rows.set(s, { favorite, at: counts, device, claimed })
        else if (row.device === device) {
          if (claimed < row.claimed) continue
          rows.set(s, { favorite, at: Math.max(counts, row.at), device, claimed })
        } else {
          if (counts < row.at) continue
          if (counts === row.at && device < row.device) continue
          rows.set(s, { favorite, at: counts, device, claimed })
        }
        version += 1
      }
      return refused
    },
  }
}

const change = fc.record({
  n: fc.integer({ min: 1, max: KNOWN_SONGS + 1 }),
  favorite: fc.boolean(),
  atMs: fc.oneof(fc.integer({ min: NOW - 3, max: NOW + 6 }), fc.constantFrom(0, Date.UTC(9999, 11, 31, 23, 59, 59, 999), NOW + 86_400_000)),
})
/** A device sends some new changes, and some that were sent before, by it or by another tab of it. */
const call = fc.record({
  device: fc.nat(DEVICES.length - 1),
  changes: fc.array(change, { maxLength: 4 }),
  again: fc.array(fc.nat(30), { maxLength: 3 }),
  /** The server's clock may be set back too. */
  laterMs: fc.integer({ min: -1, max: 2 }),
  /** The answer is lost on its way. */
  lost: fc.boolean(),
})

/** Random devices that tap on a few songs, with answers that are lost, against the rule as plainly as it can be said. */
export async function checkDevices({ storage: { favorites }, importRows }: StorageFixture, numRuns: number): Promise<void> {
  await importRows({ songs: Array.from({ length: KNOWN_SONGS }, (_, i) => song(i + 1)) })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
      const uid = randomUUID()
      const model = plainModel()
      const sent: FavoriteChange[] = []
      const pictures = DEVICES.map(() => ({ since: undefined as string | undefined, rows: new Map<string, string>() }))
      const take = (picture: (typeof pictures)[number], { whole, favorites: states, cursor }: FavoriteSynced) => {
        if (whole) picture.rows.clear()
        for (const { s, favorite, at } of states) {
          if (favorite) picture.rows.set(s, at)
          else picture.rows.delete(s)
        }
        picture.since = cursor
      }
      const ask = (since: string | undefined, changes: FavoriteChange[], now: number) =>
        favorites.sync(uid, { changes, ...(since !== undefined && { since }) }, now, view)

      let now = NOW
      for (const { device, changes, again, laterMs, lost } of calls) {
        now += laterMs
        const picture = pictures[device] ?? pictures[0]
        if (picture === undefined) throw new TypeError('There are no devices')
        const fresh = changes.map(({ n, favorite, atMs }) => ({
          ...{ id: randomUUID(), s: songId(n), favorite, at: new Date(atMs).toISOString(), device: DEVICES[device] ?? '' },
        }))
        sent.push(...fresh)
        const told = [...again.flatMap((index) => sent.slice(index, index + 1)), ...fresh]
        const answer = await ask(picture.since, told, now)
        expect(answer.refused.map(({ id }) => id)).toEqual(model.tell(told, now))
        if (!lost) take(picture, answer)
      }
      // All of it once more, in another order.
      const before = await ask(undefined, [], now)
      const refusedOnce = new Set((await ask(undefined, sent.toReversed(), now)).refused.map(({ id }) => id))
      expect(sent.filter(({ id }) => refusedOnce.has(id)).every(({ favorite, s }) => favorite && s > songId(KNOWN_SONGS))).toBe(true)
      const whole = await ask(undefined, [], now)
      expect(whole).toEqual(before)
      expect(Number(whole.cursor.split('.')[1])).toBe(model.version())

      const expected = [...model.rows].filter(([, row]) => row.favorite).map(([s, row]) => [s, new Date(row.at).toISOString()])
      for (const picture of pictures) {
        take(picture, await ask(picture.since, [], now))
        expect([...picture.rows].sort()).toEqual(expected.sort())
      }
    }),
    { numRuns },
  )
}
