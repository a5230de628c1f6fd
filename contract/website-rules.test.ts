import { expect, it } from 'vitest'
import { findSocialField, findWebsiteProblems, toWebAddress, type WebsiteTexts, websiteLabels } from './website-rules.ts'

it.each([
  ['youtube', '@novahale', 'https://www.youtube.com/@novahale'],
  ['youtube', 'novahale', 'https://www.youtube.com/@novahale'],
  ['youtube', 'nova.hale', 'https://www.youtube.com/@nova.hale'],
  ['youtube', 'youtube.com/@novahale', 'https://youtube.com/@novahale'],
  ['youtube', 'youtu.be', 'https://youtu.be'],
  ['youtube', 'www.novahale.com', 'https://www.novahale.com'],
  ['youtube', 'UC0123456789012345678901', 'https://www.youtube.com/channel/UC0123456789012345678901'],
  ['youtube', ' https://www.youtube.com/@a ', 'https://www.youtube.com/@a'],
  ['twitter', '@nova_hale', 'https://x.com/nova_hale'],
  ['instagram', '@nova.hale', 'https://www.instagram.com/nova.hale'],
  ['discord', 'AbC123', 'https://discord.gg/AbC123'],
  ['discord', 'discord.gg/AbC123', 'https://discord.gg/AbC123'],
  ['discord', 'discord.gg', 'https://discord.gg'],
  ['discord', 'nova.hale', 'nova.hale'],
  ['instagram', 'nova.hale', 'https://www.instagram.com/nova.hale'],
  ['instagram', 'instagram.com', 'https://instagram.com'],
  ['instagram', 'linktr.ee/nova', 'https://linktr.ee/nova'],
  ['facebook', 'nova.hale', 'https://www.facebook.com/nova.hale'],
  ['tiktok', 'nova.hale', 'https://www.tiktok.com/@nova.hale'],
  ['twitter', 'nova.hale', 'https://nova.hale'],
  ['tiktok', '@ノヴァ', 'https://www.tiktok.com/@ノヴァ'],
  ['patreon', 'nova hale', 'nova hale'],
  ['patreon', 'javascript:alert(1)', 'javascript:alert(1)'],
  ['patreon', '', ''],
  [undefined, 'shop.example/a?b#c', 'https://shop.example/a?b#c'],
  [undefined, 'localhost', 'localhost'],
  [undefined, '@nova', '@nova'],
] as const)('website: in the field for the site %s, the text %o is completed to %o', (site, text, address) => {
  expect(toWebAddress(text, site)).toBe(address)
})

it('website: the site of an address is recognised by its host', () => {
  expect(findSocialField('https://open.spotify.com/artist/x')).toBe('spotify')
  expect(findSocialField('https://notspotify.com')).toBeUndefined()
  expect(findSocialField('nothing')).toBeUndefined()
})

it('website: the name of an account of Discord is refused, because it has no page', () => {
  // The cast is safe, because the labels have all fields.
  const websiteTexts = Object.fromEntries(Object.keys(websiteLabels).map((field) => [field, ''])) as WebsiteTexts
  const validTexts = { ...websiteTexts, domain_name: 'nova', name: 'Nova', youtube: 'https://youtu.be/x' }
  const foundProblems = findWebsiteProblems({ ...validTexts, discord: toWebAddress('nova.hale', 'discord') }, { links: [], songs: [] }, '')
  expect(foundProblems).toEqual([{ input: 'discord', label: 'Discord', text: 'Please enter an invite link or its code.' }])
})

it('website: an address that is too long once it is completed is refused, because the form could not save it again', () => {
  // The cast is safe, because the labels have all fields.
  const websiteTexts = Object.fromEntries(Object.keys(websiteLabels).map((field) => [field, ''])) as WebsiteTexts
  const channelName = `@${'n'.repeat(490)}`
  const validTexts = { ...websiteTexts, domain_name: 'nova', name: 'Nova', youtube: 'https://youtu.be/x' }
  const foundProblems = findWebsiteProblems(
    { ...validTexts, twitter: toWebAddress(channelName, 'twitter'), patreon: toWebAddress(channelName, 'patreon') },
    { links: [{ title: 'a', url: toWebAddress(`a.example/${'b'.repeat(490)}`) }], songs: [] },
    '',
  )
  expect(foundProblems.map(({ input }) => input)).toEqual(['links.0.url', 'twitter', 'patreon'])
})

it('website: names and titles with heaps of accents are refused, and those of scripts with many accents are not', () => {
  // The cast is safe, because the labels have all fields.
  const websiteTexts = Object.fromEntries(Object.keys(websiteLabels).map((field) => [field, ''])) as WebsiteTexts
  const validTexts = { ...websiteTexts, domain_name: 'nova', youtube: 'https://youtu.be/x' }
  const createTexts = (channelName: string) =>
    findWebsiteProblems(
      { ...validTexts, name: channelName },
      { links: [{ title: channelName, url: 'https://a.example' }], songs: [] },
      '',
    ).map(({ text }) => text)
  const message = 'Please use fewer accents on one letter.'
  expect(createTexts(`Z${'\u0301\u030d'.repeat(4)}`)).toEqual([message, message])
  for (const name of ['Việt', 'שָׁ֣לוֹם', 'ที่นี่', 'བསྒྲུབས', 'é'.normalize('NFD')]) expect(createTexts(name)).toEqual([])
})

it('website: all invalid inputs are found, in the order of the form', () => {
  // The cast is safe, because the labels have all fields.
  const websiteTexts = Object.fromEntries(Object.keys(websiteLabels).map((field) => [field, ''])) as WebsiteTexts
  const websiteLists = { links: [{ title: '', url: 'x' }], songs: [{ title: 'a\u200B', url: 'https://example.com' }] }
  const foundProblems = findWebsiteProblems({ ...websiteTexts, form_mail: 'ann', twitter: 'a b' }, websiteLists, '')
  expect(foundProblems.map(({ input }) => input)).toEqual([
    ...['domain_name', 'name', 'form_mail', 'links.0.title', 'links.0.url', 'songs.0.url', 'songs.0.title', 'youtube', 'twitter'],
  ])
})
