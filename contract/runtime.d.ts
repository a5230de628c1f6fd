// Declarations of Web APIs that browsers and Node.js share. Only the contract's tsconfig includes this file: the client and the server use the
// declarations of `lib.dom` and `@types/node`.
declare class URL {
  constructor(url: string, base?: string | URL)
  static canParse(url: string, base?: string | URL): boolean
  href: string
  protocol: string
  host: string
  hostname: string
  port: string
  pathname: string
  search: string
  hash: string
  readonly origin: string
  readonly searchParams: URLSearchParams
}
declare class URLSearchParams {
  constructor(init?: string | Record<string, string>)
  readonly size: number
  get(name: string): string | null
  getAll(name: string): string[]
  has(name: string): boolean
  set(name: string, value: string): void
  append(name: string, value: string): void
  delete(name: string): void
  toString(): string
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  decode(bytes: Uint8Array): string
}
