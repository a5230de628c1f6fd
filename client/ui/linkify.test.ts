import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkify, splitLinks } from './linkify.tsx'

const links = (text: string) => splitLinks(text).flatMap((part) => part.href ?? [])

describe('linkify', () => {
  it('finds addresses between words, without the punctuation around them', () => {
    expect(links('See https://example.com/a?b=c#d, or (http://example.org/x_(y)). End.')).toEqual([
      'https://example.com/a?b=c#d',
      'http://example.org/x_(y)',
    ])
    expect(links('line one\nhttps://example.com/one\nhttps://example.com/two!')).toEqual([
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
  ])('leaves %j text', (text) => {
    expect(links(text)).toEqual([])
    expect(splitLinks(text).map((part) => part.text)).toEqual([text])
  })

  it('ends an address where markup begins', () => {
    expect(links('https://example.com/"onclick=alert(1)')).toEqual(['https://example.com/'])
    expect(links('https://example.com/<script>')).toEqual(['https://example.com/'])
    expect(links('https://example.com/\u202Egpj.exe')).toEqual(['https://example.com/'])
  })

  it('tells other sites nothing and vouches for nobody', () => {
    const [link] = linkify('https://example.com/')
    expect(link).toMatchObject({ type: 'a', props: { href: 'https://example.com/', rel: 'noopener nofollow ugc', target: '_blank' } })
  })

  it('keeps every character of any text, and links to http and https only', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('https://a.example/', 'javascript:', 'http://', ' ', ')', '(', '@', '<b>', '\n'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        expect(
          splitLinks(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
        for (const href of links(text)) expect(new URL(href).protocol).toMatch(/^https?:$/)
      }),
    )
  })
})
