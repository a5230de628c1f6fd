/** Returns the text of a form field, or an empty string. */
export const readFieldText = (fields: FormData, name: string): string => {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
