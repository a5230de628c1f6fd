import { useDeferredValue, useMemo, useState } from 'react'
import type { Member } from '../../../contract/community.ts'
import { searchMembers } from './member-search.ts'

/** Finds members by their names while a person types. */
export function useMemberSearch(members: readonly Member[]) {
  const [text, setText] = useState('')
  // A long list is searched with low priority, so that typing is not delayed.
  const searchedText = useDeferredValue(text)
  const found = useMemo(() => searchMembers(members, searchedText), [members, searchedText])
  return { setText, found, isSearching: searchedText.trim() !== '' }
}
