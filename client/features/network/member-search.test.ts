import { expect, it } from 'vitest'
import { testMember } from '../../data/testing/rows.ts'
import { searchMembers } from './member-search.ts'

const membersNamed = (...names: string[]) => names.map((channel_name, index) => testMember(index, { channel_name }))
const foundNames = (names: string[], text: string) => searchMembers(membersNamed(...names), text).map(({ channel_name }) => channel_name)

it('member search: the words of a name match in any order and without accents; from three letters on they match within words', () => {
  const memberNames = ['Otto Venn', 'Björk Ångström', 'Kitsune Arcade', 'ミラ']
  expect(foundNames(memberNames, 'venn otto')).toEqual(['Otto Venn'])
  expect(foundNames(memberNames, ' angstrom ')).toEqual(['Björk Ångström'])
  expect(foundNames(memberNames, 'suNE')).toEqual(['Kitsune Arcade'])
  expect(foundNames(memberNames, 'ar')).toEqual(['Kitsune Arcade'])
  expect(foundNames(memberNames, 'tt')).toEqual([])
  expect(foundNames(memberNames, 'ミラ')).toEqual(['ミラ'])
})

it('member search: an empty text finds all members, and a text without letters and digits finds none', () => {
  const names = ['Otto Venn', '🎧']
  expect(foundNames(names, '  ')).toEqual(names)
  expect(foundNames(names, '!?')).toEqual([])
})
