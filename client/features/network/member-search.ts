import { useDeferredValue, useMemo, useState } from 'react'
import type { Member } from '../../../contract/community.ts'
import { foldText } from '../../../contract/fold-text.ts'
import { matchesTerms, toSearchableText, toSearchTerms } from '../../../contract/search-text.ts'

const textByMember = new WeakMap<Member, string>()

/** Returns the text of a member that is searched. The text is computed once for each member. */
function readMemberText(member: Member): string {
  const cachedText = textByMember.get(member)
  if (cachedText !== undefined) return cachedText
  const text = toSearchableText(member.channel_name)
  textByMember.set(member, text)
  return text
}

/** Returns the members whose names match `searchText` by the rules of the search for songs, in their order; all members if `searchText` is empty. */
export function searchMembers(members: readonly Member[], searchText: string): readonly Member[] {
  if (searchText.trim() === '') return members
  const foldedText = foldText(searchText)
  if (foldedText === '') return []
  const terms = toSearchTerms(foldedText)
  return members.filter((member) => matchesTerms(readMemberText(member), terms))
}

/** Finds members by their names while a person types. */
export function useMemberSearch(members: readonly Member[]) {
  const [searchText, setText] = useState('')
  // A long list of members is searched with low priority, so that typing is not delayed.
  const searchedText = useDeferredValue(searchText)
  const found = useMemo(() => searchMembers(members, searchedText), [members, searchedText])
  return { setText, found, isSearching: searchedText.trim() !== '' }
}
