import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Brand } from '../../brands/brand.ts'
import { type SettingKey, Settings, type Site } from '../../contract/site.ts'
import type { Config } from '../config.ts'
import type { SettingsStore, SongView } from '../storage/storage.ts'
import type { HostSite } from './hosts.ts'
import type { Log } from './log.ts'

const DAY_MS = 86_400_000

const checks = Object.fromEntries(Object.entries(Settings.properties).map(([key, schema]) => [key, Compile(schema)]))
const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(Settings.properties, key)

/** Values that pages turn into links; a script in one must never run. */
const LINK_KEYS = new Set<string>([
  ...['LOGO', 'HERO_LINK', 'SOCIAL_DISCORD', 'SOCIAL_INSTAGRAM', 'SOCIAL_X', 'SOCIAL_TIKTOK'],
  ...['CHECKOUT_PREMIUM', 'CHECKOUT_PREMIUM_PLUS', 'CHECKOUT_DONATE'],
])
const isSafeLink = (value: unknown) => typeof value === 'string' && (value === '' || /^(?:https?:\/\/|mailto:|\/|#)/i.test(value))

function isSafe(key: string, value: unknown): boolean {
  if (LINK_KEYS.has(key)) return isSafeLink(value)
  if (Array.isArray(value)) return value.every((each: { url: string }) => isSafeLink(each.url))
  return true
}

/** A setting's text as its value; `undefined` where it does not fit the setting. */
export function parseSetting(key: SettingKey, text: string): unknown {
  const schema: TSchema = Settings.properties[key]
  const type = 'type' in schema ? schema.type : undefined
  let value: unknown = text
  if (type === 'number' || type === 'integer') value = text.trim() === '' ? undefined : Number(text)
  if (type === 'array') {
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return checks[key]?.Check(value) && isSafe(key, value) ? value : undefined
}

/** A brand's defaults under the values that were set; values that do not fit are left out and named to `onWrong`. */
export function mergeSettings(brand: Brand, stored: Partial<Record<string, string>>, onWrong: (key: string) => void): Settings {
  const merged: Record<string, unknown> = { ...brand.settings }
  for (const [key, text] of Object.entries(stored)) {
    const value = text !== undefined && isSettingKey(key) ? parseSetting(key, text) : undefined
    if (value === undefined) onWrong(key)
    else merged[key] = value
  }
  // Every entry is a default, or has passed the schema of its own key above.
  return merged as Settings
}

interface SiteSettingsDeps {
  settings: SettingsStore
  revision: () => number
  config: Pick<Config, 'apiBaseUrl' | 'firebase' | 'tokenSyncUrl' | 'discord'>
  nowMs: () => number
  log: Log
}

/** What the brands' settings are right now, and what follows from them. */
export function createSiteSettings({ settings, revision, config, nowMs, log }: SiteSettingsDeps) {
  const { apiBaseUrl, firebase, tokenSyncUrl, discord } = config
  const known = new Map<string, { revision: number; settings: Promise<Settings> }>()

  function settingsOf(brand: Brand): Promise<Settings> {
    const current = revision()
    const entry = known.get(brand.id)
    if (entry?.revision === current) return entry.settings
    const reading = settings
      .forBrand(brand.id)
      .then((stored) =>
        mergeSettings(brand, stored, (key) => log.warn({ key, brand: brand.id }, 'a setting has a wrong value; its default is used')),
      )
    known.set(brand.id, { revision: current, settings: reading })
    reading.catch(() => known.delete(brand.id))
    return reading
  }

  return {
    settingsOf,
    /** Which songs are new to readers of a brand. */
    async viewOf(brand: Brand): Promise<SongView> {
      return { newSinceMs: nowMs() - (await settingsOf(brand)).NEW_DAYS * DAY_MS }
    },
    async siteOf(host: HostSite): Promise<Site> {
      return {
        brand: host.brand.id,
        host_class: host.hostClass,
        subdomain: host.subdomain,
        api_base_url: apiBaseUrl,
        main_url: host.mainUrl,
        radio_url: host.radioUrl,
        ...(firebase === undefined
          ? {}
          : { firebase: { api_key: firebase.apiKey, project_id: firebase.projectId, auth_domain: firebase.authDomain } }),
        // It takes a cookie, which browsers drop from an API on another origin.
        ...(discord !== undefined && new URL(apiBaseUrl, host.origin).origin === host.origin ? { discord_link: true } : {}),
        ...(tokenSyncUrl === undefined ? {} : { token_sync_url: tokenSyncUrl }),
        settings: await settingsOf(host.brand),
        hero: host.brand.hero,
        texts: host.brand.texts,
      }
    },
  }
}
export type SiteSettings = ReturnType<typeof createSiteSettings>
