import { parseSync } from 'vite'

/** Parses a file. @param {string} file a name with the extension of its language @param {string} text @throws Error if the text has a syntax error */
export function parseFile(file, text) {
  const { program, comments, errors } = parseSync(file, text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return { program, comments }
}

/** Calls `visitNode` for each node of a syntax tree, a parent before its children. @param {any} node @param {(node: any) => void} visitNode */
export function visitNodes(node, visitNode) {
  if (Array.isArray(node)) for (const child of node) visitNodes(child, visitNode)
  else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string') visitNode(node)
    for (const child of Object.values(node)) if (typeof child === 'object') visitNodes(child, visitNode)
  }
}

/** Returns the number of the line at an offset, from 1. @param {string} text @param {number} offset */
export const lineAt = (text, offset) => text.slice(0, offset).split('\n').length
