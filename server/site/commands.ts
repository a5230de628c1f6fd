import { readFile } from 'node:fs/promises'
import type { TSchema } from 'typebox'
import { contentOfBrand } from '../../brands/content.ts'
import { brandOfHost } from '../../brands/registry.ts'
import { ContentSettings } from '../../contract/content.ts'
import { LINK_PATTERN, type SettingKey, Settings } from '../../contract/site.ts'
import { brandOption, CommandError, defineCommand, readBrandOption, toPrintable, UsageError } from '../admin/command.ts'
import type { Storage } from '../storage/open.ts'
import { sanitiseHtml } from '../text/html.ts'
import { isLogoFile, storeLogo } from './logo-file.ts'
import { type ContentKey, isContentKey, isTakenPath, parseContent, parseSetting } from './settings.ts'
import type { StoredSettingKey } from './store.ts'

const settingKeys = [...Object.keys(Settings.properties), ...Object.keys(ContentSettings.properties)]
const isStoredKey = (text: string): text is StoredSettingKey => settingKeys.includes(text)

function parseSettingKey(text: string): StoredSettingKey {
  if (!isStoredKey(text)) throw new UsageError(`There is no setting '${toPrintable(text)}'; the settings are ${settingKeys.join(', ')}`)
  return text
}

function describeConstraint(key: SettingKey): string {
  const schema: TSchema & {
    type?: unknown
    minimum?: unknown
    maximum?: unknown
    minLength?: unknown
    maxLength?: unknown
    pattern?: unknown
    anyOf?: readonly { const?: unknown }[]
  } = Settings.properties[key]
  if (schema.anyOf !== undefined) return `must be ${schema.anyOf.map((each) => `'${String(each.const)}'`).join(' or ')}`
  if (schema.type === 'array') return 'must be a JSON list of {"label": …, "url": …} with http(s), mailto or site links'
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`
  if (schema.type === 'number') return `must be a number from ${schema.minimum} to ${schema.maximum}`
  if (schema.pattern === LINK_PATTERN) return 'must be a link: http(s), mailto or a path of the site'
  if (schema.pattern !== undefined) return `must look like ${schema.pattern}`
  return `must be a text of ${schema.minLength === 1 ? '1 to' : 'at most'} ${schema.maxLength} characters`
}

/** Returns the content of the file if `value` is the path of a file; otherwise `value` itself. A JSON or HTML text is never the path of a file. */
async function readValue(value: string): Promise<string> {
  if (!/^[^{}[\]<>\n]+\.(?:json|html)$/i.test(value)) return value
  try {
    return await readFile(value, 'utf8')
  } catch {
    throw new CommandError(`The file '${toPrintable(value)}' cannot be read`)
  }
}

/**
 * Returns the text to store for a setting that holds a long text. HTML is sanitised before it is stored, so that every reader gets the sanitised
 * text. @throws UsageError if the text is invalid
 */
async function storedContent(key: ContentKey, value: string): Promise<string> {
  const text = await readValue(value)
  // The sanitised HTML is validated, because sanitising can make it longer than the maximum length.
  const content = parseContent(key, key === 'WHAT_IS_CONTENT' ? sanitiseHtml(text) : text)
  if (content === undefined)
    throw new UsageError(
      `${key} must be ${key === 'WHAT_IS_CONTENT' ? 'HTML' : 'JSON as the default, which `settings get` prints'}, or the path of a file with it`,
    )
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** Returns the text to store for `value`. @throws UsageError if it is invalid for the setting */
function storedText(key: SettingKey, value: string): string {
  if (key === 'WHAT_IS_PATH' && isTakenPath(value))
    throw new UsageError(`WHAT_IS_PATH cannot be '${toPrintable(value)}', which is taken by another page or the server`)
  if (parseSetting(key, value) === undefined) throw new UsageError(`${key} ${describeConstraint(key)}, not '${toPrintable(value)}'`)
  return value
}

/** Returns the text to store. @throws UsageError if the value is invalid for the setting */
async function toStored(storage: Storage, key: StoredSettingKey, value: string): Promise<string> {
  if (isContentKey(key)) return storedContent(key, value)
  return storedText(key, key === 'LOGO' && (await isLogoFile(value)) ? await storeLogo(storage, value) : value)
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const keyOperand = { help: 'the name of a setting' } as const
const settingKeysHelp = `The settings are ${settingKeys.join(', ')}.`

export const settingsGetCommand = defineCommand({
  words: 'settings get',
  summary: 'Prints a setting: as set for the brand, else for every brand, else its default.',
  details: settingKeysHelp,
  operands: { key: keyOperand },
  options: { brand: brandOption },
  run: async ({ key: settingName, brand: brandId }, { storage }) => {
    const key = parseSettingKey(settingName)
    const brand = readBrandOption(brandId)
    const storedValues = await storage.settings.readForBrand(brand?.id ?? '')
    const defaultBrand = brand ?? brandOfHost('')
    const defaultValue = isContentKey(key) ? contentOfBrand(defaultBrand.id)[key] : defaultBrand.settings[key]
    const value = storedValues[key] ?? asText(defaultValue)
    return { text: value, data: { key, brand: brand?.id ?? null, value, is_default: storedValues[key] === undefined } }
  },
})

export const settingsSetCommand = defineCommand({
  words: 'settings set',
  summary: 'Sets a setting, for one brand or for every; without VALUE it goes back to its default.',
  details: settingKeysHelp,
  operands: {
    key: keyOperand,
    value: { help: 'its value; for a long text also a .json or .html file, for LOGO a picture', optional: true },
  },
  options: { brand: brandOption },
  run: async ({ key: settingName, value, brand: brandId }, { storage }) => {
    const key = parseSettingKey(settingName)
    const brand = readBrandOption(brandId)
    const storedValue = value === undefined ? undefined : await toStored(storage, key, value)
    await storage.settings.set(key, storedValue, brand?.id)
    const scopeText = brand === undefined ? 'every brand' : brand.id
    return {
      text: storedValue === undefined ? `${key} is back to its default for ${scopeText}.` : `${key} is set for ${scopeText}.`,
      data: { key, brand: brand?.id ?? null, value: storedValue ?? null },
      changed: `setting ${key}`,
    }
  },
})
