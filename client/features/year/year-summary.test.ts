import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ListeningRow } from '../../data/listening.ts'
import { summarizeYear } from './year-summary.ts'

const createRow = (monthNumber: number, songId: string, artistName: string, heardMs: number, playCount = 1): ListeningRow => ({
  key: `2026-${String(monthNumber).padStart(2, '0')} ${songId}`,
  month: `2026-${String(monthNumber).padStart(2, '0')}`,
  songId,
  title: songId && `Title ${songId}`,
  artist: artistName,
  heardMs,
  playCount,
})

it('year: songs and artists are sorted by their listening times, and songs without a separate row are only in the sums', () => {
  const year = summarizeYear([
    createRow(1, 'a', 'Ann', 90_000, 2),
    createRow(2, 'a', 'Ann', 30_000),
    createRow(2, 'b', 'Bob', 100_000),
    createRow(2, 'c', 'Bob', 50_000),
    createRow(2, '', '', 60_000, 3),
  ])
  expect(year).toMatchObject({ minutes: 5, heardMs: 330_000, playCount: 8, hasOtherSongs: true })
  expect(year.songs.map(({ songId, heardMs }) => [songId, heardMs])).toEqual([
    ['a', 120_000],
    ['b', 100_000],
    ['c', 50_000],
  ])
  expect(year.artists.map(({ name, playCount }) => [name, playCount])).toEqual([
    ['Bob', 2],
    ['Ann', 3],
  ])
})

it('year: the months add up to the year, in milliseconds, in plays and in the whole minutes that are shown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ month: fc.integer({ min: 1, max: 12 }), song: fc.constantFrom('a', 'b', ''), heardMs: fc.nat(400_000) })),
      (listeningEntries) => {
        const year = summarizeYear(listeningEntries.map(({ month, song, heardMs }) => createRow(month, song, song, heardMs)))
        const sumOverMonths = (pick: (month: (typeof year.months)[number]) => number) =>
          year.months.reduce((total, each) => total + pick(each), 0)
        expect(sumOverMonths(({ heardMs }) => heardMs)).toBe(year.heardMs)
        expect(sumOverMonths(({ playCount }) => playCount)).toBe(year.playCount)
        expect(sumOverMonths(({ minutes }) => minutes)).toBe(year.minutes)
        expect(year.minutes * 60_000).toBeLessThanOrEqual(listeningEntries.reduce((total, { heardMs }) => total + heardMs, 0))
      },
    ),
  )
})
