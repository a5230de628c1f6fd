import { expect, it } from 'vitest'
import { createExportFileName } from './file-name.ts'

const plainSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }

it.each([
  ['city lights.mp3', { speed: 1.25, pitch: 2 }, 'city lights (speed 1.25, pitch +2).wav'],
  ['no extension', { speed: 0.1 + 0.2, pitch: -12 }, 'no extension (speed 0.3, pitch -12).wav'],
  ['AC/DC: "Back\\in" <black>?*|.flac', { speed: 1, pitch: 0 }, 'AC DC Back in black (speed 1, pitch 0).wav'],
  ['..\u0000hidden\u202e. .wav', { speed: 1, pitch: 0 }, 'hidden (speed 1, pitch 0).wav'],
  ['con.wav', { speed: 1, pitch: 0 }, 'con (speed 1, pitch 0).wav'],
  ['.mp3', { speed: 1, pitch: 0 }, 'song (speed 1, pitch 0).wav'],
  ['city lights.mp3', { speed: 0.8, reverbAmount: 35, bassDb: 3 }, 'city lights (speed 0.8, pitch 0, reverb 35 size 50, bass +3).wav'],
  ['city lights.mp3', { reverbSize: 20, bassDb: -1.5 }, 'city lights (speed 1, pitch 0, bass -1.5).wav'],
  ['می\u200cخواهم 👩‍👩‍👧.mp3', {}, 'می\u200cخواهم 👩‍👩‍👧 (speed 1, pitch 0).wav'],
  ['feat. Someone', { speed: 1, pitch: 0 }, 'feat. Someone (speed 1, pitch 0).wav'],
])('exportFileName: the song %o with the settings %o has the file name %o', (song, changes, expectedName) => {
  expect(createExportFileName({ name: song }, { ...plainSettings, ...changes }, 'wav-int16')).toBe(expectedName)
})

it('createExportFileName: a long name is cut between characters', () => {
  const exportName = createExportFileName({ name: `${'夜'.repeat(200)}.mp3` }, plainSettings, 'mp3')
  expect(exportName).toBe(`${'夜'.repeat(53)} (speed 1, pitch 0).mp3`)
  // The family emoji is a single character with 18 bytes of UTF-8.
  expect(createExportFileName({ name: `${'x'.repeat(150)}👩‍👩‍👧.mp3` }, plainSettings, 'mp3')).toBe(
    `${'x'.repeat(150)} (speed 1, pitch 0).mp3`,
  )
})

it('createExportFileName: the longest name fits into the 255 bytes that file systems allow', () => {
  const settings = { speed: 0.123, pitch: -11.123, reverbSize: 99.123, reverbAmount: 99.123, bassDb: -11.123 }
  const name = createExportFileName({ name: `${'x'.repeat(300)}.mp3` }, settings, 'wav-float32', { namePattern: '', isLoop: true })
  expect(name).toContain('(speed 0.123, pitch -11.123, reverb 99.123 size 99.123, bass -11.123, 32-bit float, loop).wav')
  expect(new TextEncoder().encode(name).length).toBeLessThan(256)
})

it.each([
  ['{artist} - {title} [{rate}x]', 'Äda - 夜 [1.25x].flac'],
  ['{title}', '夜.flac'],
  ['{name} {speed} {pitch}', 'city lights 1.25 0.flac'],
  ['{album}/{year}: {changes}', '2019 speed 1.25, pitch 0, 24-bit.flac'],
  ['{title} {nonsense} {constructor}', '夜 {nonsense} {constructor}.flac'],
  ['{album}', 'song.flac'],
  ['  ', 'city lights (speed 1.25, pitch 0, 24-bit).flac'],
])('exportFileName: fills in the pattern %o', (namePattern, expectedName) => {
  const sound = { name: 'city lights.mp3', title: '夜', artist: 'Äda', year: '2019' }
  expect(createExportFileName(sound, { ...plainSettings, speed: 1.25 }, 'flac-int24', { namePattern })).toBe(expectedName)
})
