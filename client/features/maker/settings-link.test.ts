import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPresetFile, findNewPresets, readPresetFile } from './preset-file.ts'
import type { Preset } from './presets.ts'
import { createSettingsFragment, parseSettingsFragment } from './settings-link.ts'

const anySettings = fc.record({
  speed: fc.integer({ min: 100, max: 2000 }).map((value) => value / 1000),
  pitch: fc.integer({ min: -1200, max: 1200 }).map((value) => value / 100),
  reverbSize: fc.integer({ min: 0, max: 100 }),
  reverbAmount: fc.integer({ min: 0, max: 100 }),
  bassDb: fc.integer({ min: -12, max: 12 }),
})
const anyName = fc.stringMatching(/^[A-Za-z0-9&=#+%é夜🌙]{1,20}$/u)
const LATE_NIGHT: Preset = { name: 'Late night', settings: { speed: 0.8, pitch: -1, reverbSize: 50, reverbAmount: 35, bassDb: 3 } }

describe('link to settings', () => {
  it('settings and the name of the preset are unchanged after writing and reading a link', () =>
    fc.assert(
      fc.property(anySettings, fc.option(anyName, { nil: undefined }), (settings, presetName) => {
        expect(parseSettingsFragment(createSettingsFragment(settings, presetName))).toEqual({ settings, presetName })
      }),
    ))

  it.each([
    ['#speed=9&pitch=-40&size=101&reverb=-1&bass=12.6', { speed: 2, pitch: -12, reverbSize: 100, reverbAmount: 0, bassDb: 12 }],
    ['#speed=0.80049', { speed: 0.8 }],
    ['#bass=-0', { bassDb: 0 }],
  ])('the values of %s are limited and rounded like typed values', (fragment, settings) =>
    expect(parseSettingsFragment(fragment)).toEqual({ settings, presetName: undefined }),
  )

  it.each([
    '#speed=0',
    '#speed=-1',
    '#speed=NaN',
    '#speed=1e3',
    '#speed=0x1',
    '#speed=',
    '#pitch=<script>',
    `#speed=1&x=${'a'.repeat(1000)}`,
  ])('the link %s is refused', (fragment) => expect(parseSettingsFragment(fragment)).toBe('invalid'))

  it.each(['', '#', '#top', '#preset=a', '#__proto__=1'])('the fragment "%s" is recognised as having no settings', (fragment) =>
    expect(parseSettingsFragment(fragment)).toBe('none'),
  )

  it('the name of a preset is shortened, on one line, without characters that change the direction of text', () => {
    const name = `a\u202eb\n\tc${'d'.repeat(100)}`
    expect(parseSettingsFragment(`#speed=1&preset=${encodeURIComponent(name)}`)).toMatchObject({ presetName: `a b c${'d'.repeat(35)}` })
  })

  it('any fragment is read without an error, and its values are in range', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `#speed=${text}&pitch=1`),
        ),
        (fragment) => {
          const linked = parseSettingsFragment(fragment)
          if (typeof linked === 'object') expect(linked.settings.speed ?? 1).toBeGreaterThanOrEqual(0.1)
        },
      ),
    ))
})

describe('file of presets', () => {
  it('presets are unchanged after writing and reading a file', async () =>
    expect(await readPresetFile(createPresetFile([LATE_NIGHT]))).toEqual([LATE_NIGHT]))

  it.each([
    ['no JSON', '{'],
    ['another JSON file', '{"presets":[]}'],
    ['no preset', '{"kind":"varispeed-presets","presets":[]}'],
    ['no valid preset', '{"kind":"varispeed-presets","presets":[null,{"name":"a","settings":{"speed":"1"}},{"name":"","settings":{}}]}'],
    ['a list that is none', '{"kind":"varispeed-presets","presets":{"length":9}}'],
  ])('a preset file with %s is refused', async (_, text) => expect(await readPresetFile(new Blob([text]))).toBeUndefined())

  it('a preset file that is too large is refused without being read', async () =>
    expect(
      await readPresetFile(new Blob([' '.repeat(200_000), JSON.stringify({ kind: 'varispeed-presets', presets: [LATE_NIGHT] })])),
    ).toBeUndefined())

  it('values out of range in a preset file are limited, and unknown values are left out', async () => {
    const hostileFragments = {
      name: ' x ',
      settings: { speed: 99, pitch: -99, reverbSize: 1e9, reverbAmount: -5, bassDb: 0.4, __proto__: { a: 1 } },
      more: 1,
    }
    expect(await readPresetFile(new Blob([JSON.stringify({ kind: 'varispeed-presets', presets: [hostileFragments] })]))).toEqual([
      { name: 'x', settings: { speed: 2, pitch: -12, reverbSize: 100, reverbAmount: 0, bassDb: 0 } },
    ])
  })

  it('a preset that the account has is not added again, and a taken name gets a number', () => {
    const other = { ...LATE_NIGHT, settings: { ...LATE_NIGHT.settings, pitch: 5 } }
    expect(findNewPresets([LATE_NIGHT, other], [LATE_NIGHT])).toEqual([{ ...other, name: 'Late night (2)' }])
    expect(findNewPresets([{ ...other, name: 'Nightcore' }], [])).toEqual([{ ...other, name: 'Nightcore (2)' }])
  })
})
