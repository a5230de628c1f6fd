import { expect, it } from 'vitest'
import { createTestMember } from '../../data/testing/rows.ts'
import { searchMembers } from './member-search.ts'

const createMembers = (...names: string[]) => names.map((channel_name, index) => createTestMember(index, { channel_name }))
const findMemberNames = (names: string[], text: string) =>
  searchMembers(createMembers(...names), text).map(({ channel_name }) => channel_name)

it('member search: the words of a name match in any order and without accents; from three letters on they match within words', () => {
  const memberNames = ['Otto Venn', 'Björk Ångström', 'Kitsune Arcade', 'ミラ']
  expect(findMemberNames(memberNames, 'venn otto')).toEqual(['Otto Venn'])
  expect(findMemberNames(memberNames, ' angstrom ')).toEqual(['Björk Ångström'])
  expect(findMemberNames(memberNames, 'suNE')).toEqual(['Kitsune Arcade'])
  expect(findMemberNames(memberNames, 'ar')).toEqual(['Kitsune Arcade'])
  expect(findMemberNames(memberNames, 'tt')).toEqual([])
  expect(findMemberNames(memberNames, 'ミラ')).toEqual(['ミラ'])
})

it('member search: an empty text finds all members, and a text without letters and digits finds none', () => {
  const names = ['Otto Venn', '🎧']
  expect(findMemberNames(names, '  ')).toEqual(names)
  expect(findMemberNames(names, '!?')).toEqual([])
})
