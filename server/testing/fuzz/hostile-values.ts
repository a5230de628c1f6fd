import fc from 'fast-check'

/** Texts of the classes of Unicode that break software. Each is repeated or truncated to a length. */
export const hostileUnits = {
  plain: 'x',
  combining: '\u0301\u0316',
  bidi: '\u202e\u2066',
  emoji: '\u{1f3b5}',
  family: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'lone surrogate': '\ud800',
  control: '\u0007\u001b',
  separators: '\u2028\u0085',
  markup: '"><script>alert(1)</script>',
  query: `%' OR ''="*(){}[]:^~-`,
  template: '$' + '{7*7}{{7*7}}%s%n',
  'line breaks': '\r\nBcc: a@b.c\r\n',
  path: '../..%2f\\',
  punctuation: '.,;:!?)',
} as const

/** Returns `textLength` code points, by repeating a unit. */
export function repeatToLength(repeatedUnit: string, textLength: number): string {
  const points = [...repeatedUnit]
  return repeatedUnit.repeat(Math.floor(textLength / points.length)) + points.slice(0, textLength % points.length).join('')
}

/** Texts that name videos: ids and URLs that are valid, nearly valid, or on other sites. */
export const anyVideoText = fc.oneof(
  fc.constantFrom('AAAAAAAAAA1', 'AAAAAAAAAA2', 'BBBBBBBBBB1'),
  fc.constantFrom(
    'https://www.youtube.com/watch?v=AAAAAAAAAA1',
    'https://youtu.be/AAAAAAAAAA2?t=1',
    'http://m.youtube.com/shorts/AAAAAAAAAA3',
    'https://music.youtube.com/watch?list=x&v=BBBBBBBBBB1',
    'https://www.youtube-nocookie.com/embed/AAAAAAAAAA1',
  ),
  fc.constantFrom(
    'AAAAAAAAAA',
    'AAAAAAAAAA1!',
    'ZZZZZZZZZZZ',
    'https://www.youtube.com/watch?v=',
    'https://www.youtube.com.evil.example/watch?v=AAAAAAAAAA1',
    'https://user:pw@www.youtube.com/watch?v=AAAAAAAAAA1',
    'javascript:alert(1)//AAAAAAAAAA1',
    'https://www.youtube.com/channel/%00',
    'http://[::1]/watch?v=AAAAAAAAAA1',
    '__proto__',
  ),
)

/** Texts that differ from the expected kind of text, such as markup or control characters in a name. */
export const createHostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...Object.values(hostileUnits)), fc.integer({ min: 0, max: Math.max(0, Math.min(maxLength, 300)) }))
    .map(([unit, length]) => repeatToLength(unit, length))
