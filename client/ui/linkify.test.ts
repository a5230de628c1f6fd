import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkify, splitLinks } from './linkify.tsx'

const listHrefs = (text: string) => splitLinks(text).flatMap((token) => token.href ?? [])

describe('linkify', () => {
  it('linkify: URLs are found in text, without the punctuation around them', () => {
    expect(listHrefs('See https://example.com/a?b=c#d, or (http://example.org/x_(y)). End.')).toEqual([
      'https://example.com/a?b=c#d',
      'http://example.org/x_(y)',
    ])
    expect(listHrefs('line one\nhttps://example.com/one\nhttps://example.com/two!')).toEqual([
      'https://example.com/one',
      'https://example.com/two',
    ])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://example.com/file',
    'https://',
    'https://localhost',
    'https://known.example@other.example/',
    'java\nscript:alert(1)',
  ])('linkify: %j contains no link', (linklessText) => {
    expect(listHrefs(linklessText)).toEqual([])
    expect(splitLinks(linklessText).map((token) => token.text)).toEqual([linklessText])
  })

  it('linkify: a quotation mark, an angle bracket or a character that changes the text direction ends a URL', () => {
    expect(listHrefs('https://example.com/"onclick=alert(1)')).toEqual(['https://example.com/'])
    expect(listHrefs('https://example.com/<script>')).toEqual(['https://example.com/'])
    expect(listHrefs('https://example.com/\u202Egpj.exe')).toEqual(['https://example.com/'])
  })

  it('linkify: a closing bracket without an opening one is not part of the link, nor is the punctuation next to it', () => {
    expect(listHrefs('(https://example.com/a_(b)).)')).toEqual(['https://example.com/a_(b)'])
    expect(listHrefs('https://example.com/a]).}…»')).toEqual(['https://example.com/a'])
    expect(listHrefs('https://example.com/[a]')).toEqual(['https://example.com/[a]'])
    expect(listHrefs('https://example.com/(a.)!')).toEqual(['https://example.com/(a.)'])
  })

  it.each([
    '「https://example.com/a」を参照',
    'https://example.com/a、次',
    'https://example.com/a。次',
    'https://example.com/a（公式）です',
    '【https://example.com/a】',
    'https://example.com/a🔥',
    '▶https://example.com/a▶',
    'https://example.com/a|b',
    '“https://example.com/a”',
    'https://example.com/a، ثم',
    'https://example.com/a।',
    'https://example.com/a　次',
    'https://example.com/a！',
    'https://example.com/a🇯🇵',
  ])('linkify: the link ends where its address ends in %j', (text) => {
    expect(listHrefs(text)).toEqual(['https://example.com/a'])
  })

  it.each([
    'https://ja.wikipedia.org/wiki/東京',
    'https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ',
    'https://ar.wikipedia.org/wiki/موسيقى',
    'https://en.wikipedia.org/wiki/Rush_(band)',
    'https://bücher.example/ä?q=é#ß',
  ])('linkify: letters of every script are part of a link in %j', (url) => {
    expect(listHrefs(`(${url}) …`)).toEqual([url])
  })

  it('linkify: only URLs of at most 2,000 characters become links', () => {
    const url = `https://example.com/${'a'.repeat(1980)}`
    expect(listHrefs(`${url}...`)).toEqual([url])
    expect(listHrefs(`${url}a`)).toEqual([])
  })

  it('linkify: links are rendered with rel="noopener nofollow ugc"', () => {
    const [link] = linkify('https://example.com/')
    expect(link).toMatchObject({ type: 'a', props: { href: 'https://example.com/', rel: 'noopener nofollow ugc', target: '_blank' } })
  })

  it('linkify: every character of any text is preserved, and only http and https URLs become links', () => {
    const anyFragment = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('https://a.example/', 'javascript:', 'http://', ' ', ')', '(', '@', '<b>', '\n'),
    )
    fc.assert(
      fc.property(fc.array(anyFragment), (textFragments) => {
        const joinedText = textFragments.join('')
        expect(
          splitLinks(joinedText)
            .map((token) => token.text)
            .join(''),
        ).toBe(joinedText)
        for (const href of listHrefs(joinedText)) expect(new URL(href).protocol).toMatch(/^https?:$/)
      }),
    )
  })
})
