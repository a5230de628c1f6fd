/** Letters that Unicode decomposition leaves whole, with what people type instead. */
const PLAIN: Record<string, string> = { ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ı: 'i' }

/**
 * `text` as search sees it, on the server and offline alike: lower case, no accents, letters and digits of any
 * script in words parted by single spaces. An empty string where there are none.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[øđðłħßæœþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
