/** Returns the name of a channel from the address of its page, such as `@aria`; `undefined` if the address has only an id. */
export function channelNameOf(url: string): string | undefined {
  const [, name] = /^https?:\/\/[^/]+\/(?:c\/|user\/)?([^/?#]+)/i.exec(url) ?? []
  const isName = name !== undefined && (name.startsWith('@') || /\/(?:c|user)\//i.test(url))
  if (!isName) return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
