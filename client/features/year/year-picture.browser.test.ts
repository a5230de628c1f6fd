import { expect, it, vi } from 'vitest'
import { drawYear } from './year-picture.ts'
import { summarizeYear } from './year-summary.ts'

it('picture of a year: titles that are written from right to left start at their right end, and are cut between whole characters', () => {
  for (const token of ['surface-0', 'art-1', 'art-2', 'accent', 'accent-2'])
    document.documentElement.style.setProperty(`--${token}`, 'black')
  const drawnTexts = new Map<string, CanvasDirection>()
  vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText').mockImplementation(function (this: CanvasRenderingContext2D, text) {
    drawnTexts.set(text, this.direction)
  })
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
  const listenedSongs = [
    { title: `«${'ليلة سعيدة '.repeat(12)}» Remix`, artist: 'فيروز' },
    { title: 'Night drive', artist: 'שלום Trio' },
    { title: family.repeat(60), artist: 'Kirano' },
  ]
  const rows = listenedSongs.map((song, index) => {
    const songId = `song${index}`
    return { ...song, key: `2026-01 ${songId}`, month: '2026-01', songId, heardMs: 60_000 * (9 - index), playCount: 1 }
  })
  const site = { siteName: 'Nightcore Meridian', siteDomain: 'nightcoremeridian.example' }
  drawYear(document.createElement('canvas'), { year: '2026', summary: summarizeYear(rows), ...site })
  const findDrawn = (start: string) => [...drawnTexts].find(([text]) => text.startsWith(start))
  expect(findDrawn('«ليلة')).toEqual([expect.stringMatching(/[^ ]…$/), 'rtl'])
  expect([findDrawn('فيروز')?.[1], findDrawn('שלום')?.[1], findDrawn('Night drive')?.[1]]).toEqual(['rtl', 'rtl', 'ltr'])
  expect(findDrawn(family)?.[0].replaceAll(family, '')).toBe('…')
  vi.restoreAllMocks()
})
