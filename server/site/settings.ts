import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Brand } from '../../brands/brand.ts'
import { ContentSettings } from '../../contract/content.ts'
import { EMBED_PATH } from '../../contract/embed.ts'
import { findPageAt } from '../../contract/pages.ts'
import { isRedirectPath, isServerPath, staticFilePrefixes } from '../../contract/paths.ts'
import { type SettingKey, Settings, type Site } from '../../contract/site.ts'
import type { Config } from '../config.ts'
import { DAY_MS } from '../durations.ts'
import type { HostSite } from '../http/hosts.ts'
import type { Log } from '../log.ts'
import type { SettingsStore } from './store.ts'

export type ContentKey = keyof ContentSettings

const contentChecks = Object.fromEntries(Object.entries(ContentSettings.properties).map(([key, schema]) => [key, Compile(schema)]))
export const isContentKey = (key: string): key is ContentKey => Object.hasOwn(ContentSettings.properties, key)

/** Parses the text of a setting that holds a long text: HTML, or JSON. Returns undefined if it is invalid. */
export function parseContent<K extends ContentKey>(contentKey: K, contentText: string): ContentSettings[K] | undefined {
  const schema: TSchema & { type?: unknown } = ContentSettings.properties[contentKey]
  let parsedValue: unknown = contentText
  if (schema.type !== 'string') {
    try {
      parsedValue = JSON.parse(contentText)
    } catch {
      return undefined
    }
  }
  // The cast is safe: the value was checked against the schema of its key.
  return contentChecks[contentKey]?.Check(parsedValue) === true ? (parsedValue as ContentSettings[K]) : undefined
}

const settingChecks = Object.fromEntries(Object.entries(Settings.properties).map(([key, schema]) => [key, Compile(schema)]))
const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(Settings.properties, key)

/** Whether a page of the page table, or the server itself, answers at `path` (without a query). */
export const isTakenPath = (path: string): boolean =>
  findPageAt(path) !== undefined || path === EMBED_PATH || isServerPath(path) || isRedirectPath(path) || staticFilePrefixes.includes(path)

/** Parses the text of a setting; returns undefined if it is invalid. */
export function parseSetting(key: SettingKey, settingText: string): unknown {
  if (key === 'WHAT_IS_PATH' && isTakenPath(settingText)) return undefined
  const schema: TSchema = Settings.properties[key]
  const schemaType = 'type' in schema ? schema.type : undefined
  let parsedValue: unknown = settingText
  if (schemaType === 'number' || schemaType === 'integer') parsedValue = settingText.trim() === '' ? undefined : Number(settingText)
  if (schemaType === 'array') {
    try {
      parsedValue = JSON.parse(settingText)
    } catch {
      return undefined
    }
  }
  return settingChecks[key]?.Check(parsedValue) ? parsedValue : undefined
}

/** Merges stored values over a brand's defaults. Invalid values are skipped and reported to `onInvalid`. */
function mergeSettings(brand: Brand, storedValues: Partial<Record<string, string>>, onInvalid: (key: string) => void): Settings {
  const mergedSettings: Record<string, unknown> = { ...brand.settings }
  for (const [settingKey, storedText] of Object.entries(storedValues)) {
    if (isContentKey(settingKey)) continue
    const value = storedText !== undefined && isSettingKey(settingKey) ? parseSetting(settingKey, storedText) : undefined
    if (value === undefined) onInvalid(settingKey)
    else mergedSettings[settingKey] = value
  }
  // The cast is safe: every entry is a default or was validated against the schema of its key above.
  const settings = mergedSettings as Settings
  const updateGenreLink = createGenreLinkUpdater(brand, settings.WHAT_IS_PATH)
  return {
    ...settings,
    HERO_LINK: updateGenreLink(settings.HERO_LINK),
    FOOTER_LINKS: settings.FOOTER_LINKS.map((link) => ({ ...link, url: updateGenreLink(link.url) })),
  }
}

/**
 * Returns a function that corrects links to the page about the genre, in case the setting `WHAT_IS_PATH` has moved that page from the brand's
 * default path.
 */
export const createGenreLinkUpdater =
  (brand: Brand, whatIsPath: string) =>
  (link: string): string =>
    link === brand.settings.WHAT_IS_PATH ? whatIsPath : link

interface SiteSettingsDeps {
  settings: SettingsStore
  revision: () => number
  config: Pick<Config, 'apiBaseUrl' | 'firebase' | 'tokenSyncUrl' | 'discord'>
  nowMs: () => number
  log: Log
}

/** The current settings of the brands, cached until the data changes, and the values derived from them. */
export function createSiteSettings({ settings, revision, config, nowMs, log }: SiteSettingsDeps) {
  const { apiBaseUrl, firebase, tokenSyncUrl, discord } = config
  const settingsByBrandId = new Map<string, { revision: number; settings: Promise<Settings> }>()

  function readSettings(brand: Brand): Promise<Settings> {
    const currentRevision = revision()
    const cachedEntry = settingsByBrandId.get(brand.id)
    if (cachedEntry?.revision === currentRevision) return cachedEntry.settings
    const settingsPromise = settings
      .readForBrand(brand.id)
      .then((storedValues) =>
        mergeSettings(brand, storedValues, (key) =>
          log.warn({ key, brand: brand.id }, 'a setting has an invalid value; its default is used'),
        ),
      )
    settingsByBrandId.set(brand.id, { revision: currentRevision, settings: settingsPromise })
    settingsPromise.catch(() => settingsByBrandId.delete(brand.id))
    return settingsPromise
  }

  return {
    settingsOf: readSettings,
    /** Returns the time since which songs must have been added to be marked as new on a brand's site. */
    async viewOf(brand: Brand): Promise<{ newSinceMs: number; newUntilMs: number }> {
      const newUntilMs = nowMs()
      return { newSinceMs: newUntilMs - (await readSettings(brand)).NEW_DAYS * DAY_MS, newUntilMs }
    },
    async siteOf(hostSite: HostSite): Promise<Site> {
      return {
        brand: hostSite.brand.id,
        host_class: hostSite.hostClass,
        subdomain: hostSite.subdomain,
        api_base_url: apiBaseUrl,
        main_url: hostSite.mainUrl,
        radio_url: hostSite.radioUrl,
        ...(firebase === undefined
          ? {}
          : { firebase: { api_key: firebase.apiKey, project_id: firebase.projectId, auth_domain: firebase.authDomain } }),
        // Linking with Discord is offered only if the API is on the same origin, because browsers do not send the cookie of the linking attempt to
        // other origins.
        ...(discord !== undefined && new URL(apiBaseUrl, hostSite.origin).origin === hostSite.origin ? { discord_link: true } : {}),
        ...(tokenSyncUrl === undefined ? {} : { token_sync_url: tokenSyncUrl }),
        settings: await readSettings(hostSite.brand),
        hero: hostSite.brand.hero,
        texts: hostSite.brand.texts,
      }
    },
  }
}
export type SiteSettings = ReturnType<typeof createSiteSettings>
