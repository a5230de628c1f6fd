import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createExportFileName } from '../../engine/file-name.ts'
import { fitSpeedAndPitch, readSettingsFromFileName } from './settings-of-file-name.ts'

it('the settings of an exported file are read from its name', () =>
  fc.assert(
    fc.property(
      fc.record({
        speed: fc.integer({ min: 100, max: 2000 }).map((value) => value / 1000),
        pitch: fc.integer({ min: -1200, max: 1200 }).map((value) => value / 100),
        reverbSize: fc.integer({ min: 0, max: 100 }),
        reverbAmount: fc.integer({ min: 1, max: 100 }),
        bassDb: fc.integer({ min: -12, max: 12 }),
      }),
      fc.constantFrom('wav-int16', 'wav-float32', 'flac-int24', 'mp3'),
      fc.boolean(),
      (settings, format, isLoop) => {
        const name = createExportFileName({ name: 'a (speed 1, pitch 2) song.mp3' }, settings, format, { namePattern: '', isLoop })
        expect(readSettingsFromFileName(name)).toEqual(settings)
      },
    ),
  ))

it("a file name without the maker's settings results in no settings", () => {
  for (const name of ['', 'song.mp3', 'song (speed 0, pitch 0).wav', 'song (speed x, pitch 0).wav', '(speed 1, pitch 0).wav.exe.'])
    expect(readSettingsFromFileName(name)).toBeUndefined()
})

it('a file that was named by another pattern has the speed and the pitch with which it was recorded', () => {
  expect(fitSpeedAndPitch({ speed: 1.25, pitch: -2 })).toEqual({ speed: 1.25, pitch: -2 })
  for (const recorded of [{}, { speed: 1.25 }, { speed: 0, pitch: 0 }]) expect(fitSpeedAndPitch(recorded)).toBeUndefined()
})
