/** Returns the text of a form field, or an empty string. */
export const readFieldText = (formData: FormData, fieldName: string): string => {
  const value = formData.get(fieldName)
  return typeof value === 'string' ? value : ''
}
