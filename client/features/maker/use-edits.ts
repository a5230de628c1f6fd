import { useCallback, useEffect, useState } from 'react'
import { toSearchableText } from '../../../contract/search-text.ts'
import { filterByWords } from '../../components/filter-by-words.ts'
import { requestPersistentStorage } from '../../platform/device-storage.ts'
import type { Engine, ProjectSummary } from './use-maker.ts'

export const EDIT_SORTS = [
  { value: 'newest', label: 'Newest' },
  { value: 'az', label: 'A-Z' },
  { value: 'fastest', label: 'Fastest' },
  { value: 'longest', label: 'Longest' },
] as const
export type EditSort = (typeof EDIT_SORTS)[number]['value']

const comparatorBySort: Record<EditSort, (a: ProjectSummary, b: ProjectSummary) => number> = {
  newest: (a, b) => b.changedAtMs - a.changedAtMs,
  az: (a, b) => a.title.localeCompare(b.title),
  fastest: (a, b) => b.rate - a.rate,
  longest: (a, b) => (b.lengthS ?? 0) - (a.lengthS ?? 0),
}

const getFilteredText = ({ title, artist = '' }: ProjectSummary) => toSearchableText(title) + toSearchableText(artist)

/** Returns the edits whose name and artist together contain every word of `filterText`, in the order of `sort`. */
export function arrangeEdits(edits: readonly ProjectSummary[], filterText: string, sort: EditSort): readonly ProjectSummary[] {
  return filterByWords(edits, filterText, getFilteredText).toSorted((a, b) => comparatorBySort[sort](a, b) || (a.id < b.id ? -1 : 1))
}

export interface Edits {
  /** The edits of the account on this device; `undefined` until they are read. */
  readonly edits: readonly ProjectSummary[] | undefined
  /** The space in bytes that the browser still grants to the site; `undefined` if it does not say. */
  readonly freeBytes: number | undefined
}

/** Returns the edits of the account on this device, and follows their changes. */
export function useEdits({ projects }: Engine): Edits {
  const [editsState, setState] = useState<Edits>({ edits: undefined, freeBytes: undefined })
  const refreshEdits = useCallback(async () => {
    // `navigator.storage` is absent in some browsers, although its type does not say so.
    const estimateStorage = async () => navigator.storage.estimate()
    const [listedEdits, { quota, usage = 0 }] = await Promise.all([projects.list(), estimateStorage().catch((): StorageEstimate => ({}))])
    setState({ edits: listedEdits, freeBytes: quota === undefined ? undefined : Math.max(0, quota - usage) })
    // A browser that may delete the edits when space runs low is asked not to.
    if (listedEdits.length > 0) void requestPersistentStorage()
  }, [projects])
  useEffect(() => {
    const refreshQuietly = () => void refreshEdits().catch(() => setState({ edits: [], freeBytes: undefined }))
    refreshQuietly()
    return projects.subscribe(refreshQuietly)
  }, [projects, refreshEdits])
  return editsState
}
