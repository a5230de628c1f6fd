import { expect, it } from 'vitest'
import { exportFileName } from './file-name.ts'

it.each([
  ['city lights.mp3', { speed: 1.25, pitch: 2 }, 'city lights (speed 1.25, pitch +2).wav'],
  ['no extension', { speed: 0.1 + 0.2, pitch: -12 }, 'no extension (speed 0.3, pitch -12).wav'],
  ['AC/DC: "Back\\in" <black>?*|.flac', { speed: 1, pitch: 0 }, 'AC DC Back in black (speed 1, pitch 0).wav'],
  ['..\u0000hidden\u202e. .wav', { speed: 1, pitch: 0 }, 'hidden (speed 1, pitch 0).wav'],
  ['con.wav', { speed: 1, pitch: 0 }, 'con (speed 1, pitch 0).wav'],
  ['.mp3', { speed: 1, pitch: 0 }, 'song (speed 1, pitch 0).wav'],
  ['feat. Someone', { speed: 1, pitch: 0 }, 'feat. Someone (speed 1, pitch 0).wav'],
])('exportFileName: %o, %o', (song, settings, expectedName) => {
  expect(exportFileName(song, settings, 'wav')).toBe(expectedName)
})

it('exportFileName: a long name is cut between characters', () => {
  const name = exportFileName(`${'夜'.repeat(200)}.mp3`, { speed: 1, pitch: 0 }, 'mp3')
  expect(name).toBe(`${'夜'.repeat(60)} (speed 1, pitch 0).mp3`)
  expect(new TextEncoder().encode(name).length).toBeLessThan(256)
})
