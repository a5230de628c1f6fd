import { escapeHtml } from '../text/escape-html.ts'
import type { Mail } from './store.ts'

const FONT_STYLE = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
const BUTTON_STYLE =
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#16161d;color:#ffffff;font-weight:600;text-decoration:none'
const FALLBACK_LINK_STYLE = 'color:#55555f;font-size:14px;overflow-wrap:anywhere'

/**
 * Returns a mail's text as HTML: its paragraphs, and its link as a button with the URL below it. Styles are inline, because many mail programs
 * read no others.
 */
export function renderMailHtml({ text, link, action = 'Open' }: Pick<Mail, 'text' | 'link' | 'action'>): string {
  const paragraphsHtml = text.split('\n\n').map((paragraphText) => {
    const words = escapeHtml(paragraphText)
    if (paragraphText !== link) return `<p>${words.replaceAll('\n', '<br>')}</p>`
    return `<p><a href="${words}" style="${BUTTON_STYLE}">${escapeHtml(action)}</a></p><p style="${FALLBACK_LINK_STYLE}">${words}</p>`
  })
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '</head>',
    `<body style="margin:0;padding:24px;background:#ffffff;color:#16161d;${FONT_STYLE};font-size:16px;line-height:1.5">`,
    `<div dir="auto" style="max-width:34em;margin:0 auto;overflow-wrap:anywhere">`,
    ...paragraphsHtml,
    '</div></body></html>',
  ].join('\n')
}
