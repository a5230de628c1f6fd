import { expect, it } from 'vitest'
import { clampSettings } from '../../engine/render-settings.ts'
import { areSettingsEqual, presets } from './presets.ts'

it('presets: each preset has a different name', () => {
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length)
})

it.each(presets)('presets: no other preset has the settings of $name, so that its button can be shown as pressed', ({ settings }) => {
  expect(presets.filter((other) => areSettingsEqual(other.settings, settings))).toHaveLength(1)
})

it.each(presets)('presets: the settings of $name are in their ranges', ({ settings }) => {
  expect(clampSettings(settings, settings)).toEqual(settings)
})
