import type { TSchema } from 'typebox'
import type { Brand } from '../../brands/brand.ts'
import { brands } from '../../brands/registry.ts'
import { type SettingKey, Settings } from '../../contract/site.ts'
import { parseSetting } from '../services/site-settings.ts'
import { sanitiseHtml } from '../storage/html.ts'
import { type Command, type CommandInput, printable, takeOperands, UsageError } from './command.ts'

const keys = Object.keys(Settings.properties)
const isKey = (text: string): text is SettingKey => keys.includes(text)

function settingKey(text: string): SettingKey {
  if (!isKey(text)) throw new UsageError(`There is no setting '${printable(text)}'; the settings are ${keys.join(', ')}`)
  return text
}

function brandOf({ brand: id }: CommandInput): Brand | undefined {
  if (id === undefined) return undefined
  const brand = brands.find((each) => each.id === id)
  if (brand === undefined)
    throw new UsageError(`There is no brand '${printable(id)}'; the brands are ${brands.map((each) => each.id).join(', ')}`)
  return brand
}

/** What values a setting takes, in words. */
function expectation(key: SettingKey): string {
  const schema: TSchema & {
    type?: unknown
    minimum?: unknown
    maximum?: unknown
    pattern?: unknown
    anyOf?: readonly { const?: unknown }[]
  } = Settings.properties[key]
  if (schema.anyOf !== undefined) return `must be ${schema.anyOf.map((each) => `'${String(each.const)}'`).join(' or ')}`
  if (schema.type === 'array') return 'must be a JSON list of {"label": …, "url": …} with http(s), mailto or site links'
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'number') return `must be a number from ${schema.minimum} to ${schema.maximum}`
  if (schema.pattern !== undefined) return `must look like ${schema.pattern}`
  return key === 'NAME' ? 'must not be empty' : 'must be a link: http(s), mailto or a path of the site'
}

/** The text that is stored for `value`. @throws UsageError where the setting does not take it */
function storedText(key: SettingKey, value: string): string {
  if (parseSetting(key, value) === undefined) throw new UsageError(`${key} ${expectation(key)}, not '${printable(value)}'`)
  return key === 'WHAT_IS_CONTENT' ? sanitiseHtml(value) : value
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export const settingsGet: Command = {
  words: 'settings get',
  synopsis: 'KEY [--brand ID]',
  summary: 'Prints a setting: as set for the brand, else for every brand, else its default.',
  run: async (input, storage) => {
    const [name = ''] = takeOperands(input, 1, 1)
    const key = settingKey(name)
    const brand = brandOf(input)
    const stored = await storage.settings.forBrand(brand?.id ?? '')
    const byDefault = (brand ?? brands.find((each) => each.hostWord === undefined))?.settings[key]
    const value = stored[key] ?? asText(byDefault)
    return { text: value, data: { key, brand: brand?.id ?? null, value, is_default: stored[key] === undefined } }
  },
}

export const settingsSet: Command = {
  words: 'settings set',
  synopsis: 'KEY [VALUE] [--brand ID]',
  summary: 'Sets a setting, for one brand or for every; without VALUE it goes back to its default.',
  run: async (input, storage) => {
    const [name = '', value] = takeOperands(input, 1, 2)
    const key = settingKey(name)
    const brand = brandOf(input)
    const stored = value === undefined ? undefined : storedText(key, value)
    await storage.settings.set(key, stored, brand?.id)
    const where = brand === undefined ? 'every brand' : brand.id
    return {
      text: stored === undefined ? `${key} is back to its default for ${where}.` : `${key} is set for ${where}.`,
      data: { key, brand: brand?.id ?? null, value: stored ?? null },
    }
  },
}
