import { lazyWithRetry } from './lazy-with-retry.tsx'

interface LinkedTextProps {
  text: string
}

const showPlainText = ({ text }: LinkedTextProps) => text

/** Texts are plain until the code has loaded, and stay so if it cannot be loaded. */
const TextWithLinks = lazyWithRetry<LinkedTextProps>(
  async () => {
    const { linkify } = await import('./linkify.tsx')
    return ({ text }) => linkify(text)
  },
  { fallback: showPlainText, renderError: showPlainText },
)

/** Renders the web addresses of `text` as links, and everything else, including markup, as plain text. */
export const LinkedText = ({ text }: LinkedTextProps) => (/https?:/i.test(text) ? <TextWithLinks text={text} /> : text)
