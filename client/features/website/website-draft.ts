import type { Website } from '../../../contract/website.ts'
import {
  type AccentColor,
  accentColors,
  socialFields,
  type WebsiteEntry,
  type WebsiteField,
  type WebsiteTexts,
  websiteMaxLengths,
} from '../../../contract/website-rules.ts'
import { parseVideoId } from '../../../contract/youtube.ts'
import { sessionStore } from '../../platform/web-storage.ts'

/** An entry of a list in the form. `key` identifies the entry while the form is open. */
export type EntryRow = WebsiteEntry & { key: number; id?: string | undefined }

/** The values of the website form. */
export interface WebsiteDraft {
  texts: WebsiteTexts
  links: readonly EntryRow[]
  songs: readonly EntryRow[]
  accent: AccentColor
  enabled: boolean
}

export const websiteFieldNames = [...Object.keys(websiteMaxLengths), ...socialFields] as WebsiteField[]

let lastRowKey = 0
export const createEntryRow = (entry: WebsiteEntry & { id?: string | undefined } = { title: '', url: '' }): EntryRow => ({
  ...entry,
  key: ++lastRowKey,
})

/** Returns the saved values of a website. */
export const toWebsiteDraft = (website: Website): WebsiteDraft => ({
  // The cast is safe, because the names are the members of the type.
  texts: Object.fromEntries(websiteFieldNames.map((name) => [name, website[name]])) as WebsiteTexts,
  links: website.links.map(createEntryRow),
  songs: website.songs.map(createEntryRow),
  accent: website.accent,
  enabled: website.enabled === 'yes',
})

/** Returns whether saving either of two drafts would have the same result. */
export function isSameDraft(firstDraft: WebsiteDraft, secondDraft: WebsiteDraft): boolean {
  const toComparable = ({ texts, links, songs, accent, enabled }: WebsiteDraft) =>
    JSON.stringify([
      websiteFieldNames.map((name) => texts[name].replaceAll('\r\n', '\n')),
      links.map(({ title, url }) => [title, url]),
      songs.map(({ title, url }) => [title, parseVideoId(url) ?? url]),
      accent,
      enabled,
    ])
  return toComparable(firstDraft) === toComparable(secondDraft)
}

/** The key in sessionStorage, which belongs to one tab. */
const DRAFT_KEY = 'website-draft'

const isWebsiteEntry = (storedValue: unknown): storedValue is WebsiteEntry & { id?: string } => {
  const { title, url, id }: Partial<Record<'title' | 'url' | 'id', unknown>> = Object(storedValue)
  return typeof title === 'string' && typeof url === 'string' && (id === undefined || typeof id === 'string')
}

/** Returns the stored draft of an account; undefined if there is none, or if it is invalid. */
export function readWebsiteDraft(uid: string): WebsiteDraft | undefined {
  // Checks each member, because the stored value can be anything.
  const storedDraft: Partial<Record<keyof WebsiteDraft | 'uid', unknown>> = Object(sessionStore.readJson(DRAFT_KEY))
  const { links, songs, accent, enabled } = storedDraft
  const draftTexts: Partial<Record<WebsiteField, unknown>> = Object(storedDraft.texts)
  const accentOfDraft = accentColors.find((each) => each === accent)
  if (storedDraft.uid !== uid || accentOfDraft === undefined || typeof enabled !== 'boolean') return undefined
  if (!Array.isArray(links) || !links.every(isWebsiteEntry) || !Array.isArray(songs) || !songs.every(isWebsiteEntry)) return undefined
  if (!websiteFieldNames.every((name) => typeof draftTexts[name] === 'string')) return undefined
  // The cast is safe, because each member was checked.
  return {
    texts: draftTexts as WebsiteTexts,
    links: links.map(createEntryRow),
    songs: songs.map(createEntryRow),
    accent: accentOfDraft,
    enabled,
  }
}

/** Stores the draft of an account in this tab; without one, removes it. */
export const storeWebsiteDraft = (uid: string, draft: WebsiteDraft | undefined): void =>
  void sessionStore.write(DRAFT_KEY, draft && JSON.stringify({ uid, ...draft }))
