import { readFile } from 'node:fs/promises'
import type { TSchema } from 'typebox'
import { createBrandContent } from '../../brands/content.ts'
import { findBrandOfHost } from '../../brands/registry.ts'
import { ContentSettings } from '../../contract/content.ts'
import { LINK_PATTERN, type SettingKey, Settings } from '../../contract/site.ts'
import { brandOption, CommandError, defineCommand, readBrandOption, toPrintable, UsageError } from '../admin/command.ts'
import type { Storage } from '../storage/open.ts'
import { sanitiseHtml } from '../text/html.ts'
import { isLogoFile, storeLogo } from './logo-file.ts'
import { type ContentKey, isContentKey, isTakenPath, parseContent, parseSetting } from './settings.ts'
import type { StoredSettingKey } from './store.ts'

const settingKeys = [...Object.keys(Settings.properties), ...Object.keys(ContentSettings.properties)]
const isStoredSettingKey = (text: string): text is StoredSettingKey => settingKeys.includes(text)

function parseSettingKey(keyText: string): StoredSettingKey {
  if (!isStoredSettingKey(keyText))
    throw new UsageError(`There is no setting '${toPrintable(keyText)}'; the settings are ${settingKeys.join(', ')}`)
  return keyText
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

/** Returns the content of the file if `valueArgument` is the path of a file; otherwise `valueArgument` itself. A JSON or HTML text is never the path of a file. */
async function readValue(valueArgument: string): Promise<string> {
  if (!/^[^{}[\]<>\n]+\.(?:json|html)$/i.test(valueArgument)) return valueArgument
  try {
    return await readFile(valueArgument, 'utf8')
  } catch {
    throw new CommandError(`The file '${toPrintable(valueArgument)}' cannot be read`)
  }
}

/**
 * Returns the text to store for a setting that holds a long text. HTML is sanitised before it is stored, so that every reader gets the sanitised
 * text. @throws UsageError if the text is invalid
 */
async function parseStoredContent(key: ContentKey, valueArgument: string): Promise<string> {
  const contentText = await readValue(valueArgument)
  // The sanitised HTML is validated, because sanitising can make it longer than the maximum length.
  const parsedContent = parseContent(key, key === 'WHAT_IS_CONTENT' ? sanitiseHtml(contentText) : contentText)
  if (parsedContent === undefined)
    throw new UsageError(
      `${key} must be ${key === 'WHAT_IS_CONTENT' ? 'HTML' : 'JSON as the default, which `settings get` prints'}, or the path of a file with it`,
    )
  return typeof parsedContent === 'string' ? parsedContent : JSON.stringify(parsedContent)
}

/** Returns the text to store for `valueArgument`. @throws UsageError if it is invalid for the setting */
function parseStoredText(key: SettingKey, valueArgument: string): string {
  if (key === 'WHAT_IS_PATH' && isTakenPath(valueArgument))
    throw new UsageError(`WHAT_IS_PATH cannot be '${toPrintable(valueArgument)}', which is taken by another page or the server`)
  if (parseSetting(key, valueArgument) === undefined)
    throw new UsageError(`${key} ${describeConstraint(key)}, not '${toPrintable(valueArgument)}'`)
  return valueArgument
}

/** Returns the text to store. @throws UsageError if the value is invalid for the setting */
async function toStored(storage: Storage, key: StoredSettingKey, valueArgument: string): Promise<string> {
  if (isContentKey(key)) return parseStoredContent(key, valueArgument)
  return parseStoredText(key, key === 'LOGO' && (await isLogoFile(valueArgument)) ? await storeLogo(storage, valueArgument) : valueArgument)
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const keyOperand = { help: 'the name of a setting' } as const
const settingKeysHelp = `The settings are ${settingKeys.join(', ')}.`

export const settingsGetCommand = defineCommand({
  words: 'settings get',
  summary: 'Prints a setting: as set for the brand, else for every brand, else its default.',
  details: settingKeysHelp,
  operands: { key: keyOperand },
  options: { brand: brandOption },
  run: async ({ key: settingName, brand: brandId }, { storage }) => {
    const settingKey = parseSettingKey(settingName)
    const brand = readBrandOption(brandId)
    const storedValues = await storage.settings.readForBrand(brand?.id ?? '')
    const defaultBrand = brand ?? findBrandOfHost('')
    const defaultValue = isContentKey(settingKey) ? createBrandContent(defaultBrand.id)[settingKey] : defaultBrand.settings[settingKey]
    const value = storedValues[settingKey] ?? toText(defaultValue)
    return { text: value, data: { key: settingKey, brand: brand?.id ?? null, value, is_default: storedValues[settingKey] === undefined } }
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
    const settingKey = parseSettingKey(settingName)
    const brand = readBrandOption(brandId)
    const storedValue = value === undefined ? undefined : await toStored(storage, settingKey, value)
    await storage.settings.set(settingKey, storedValue, brand?.id)
    const scopeText = brand === undefined ? 'every brand' : brand.id
    return {
      text: storedValue === undefined ? `${settingKey} is back to its default for ${scopeText}.` : `${settingKey} is set for ${scopeText}.`,
      data: { key: settingKey, brand: brand?.id ?? null, value: storedValue ?? null },
      changed: `setting ${settingKey}`,
    }
  },
})
