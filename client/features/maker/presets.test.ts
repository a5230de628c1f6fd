import { expect, it } from 'vitest'
import { clampSettings } from '../../engine/render-settings.ts'
import { areSettingsEqual, builtInPresets } from './presets.ts'

it('presets: each preset has a different name', () => {
  expect(new Set(builtInPresets.map(({ name }) => name)).size).toBe(builtInPresets.length)
})

it.each(builtInPresets)(
  'presets: no other preset has the settings of $name, so that its button can be shown as pressed',
  ({ settings }) => {
    expect(builtInPresets.filter((other) => areSettingsEqual(other.settings, settings))).toHaveLength(1)
  },
)

it.each(builtInPresets)('presets: the settings of $name are in their ranges', ({ settings }) => {
  expect(clampSettings(settings, settings)).toEqual(settings)
})
