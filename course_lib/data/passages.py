"""Five short texts, written for this course, on which the loss of a language model is measured.

No model can have met them before they were written here, in November 2026.
"""

PASSAGES = (
    # A harbour
    "The ferry leaves the harbour at ten past six, when the fog still lies on the water and the "
    "gulls are quarrelling about the first scraps of bread. Anna has sold tickets there for "
    "eleven years. She knows which passengers will ask for a window, which ones will fall asleep "
    "before the lighthouse, and which ones will stand at the rail until their hands are cold. On "
    "the day of the storm only one of them came. He put his wet hat on the counter, looked at the "
    "empty pier, and asked whether the ferry would run. Anna told him that it would not, and that "
    "there was coffee. They drank it in silence, while the rain beat against the glass and the "
    "ferry pulled at its ropes like a dog that wants to go home.",
    # A recipe
    "To make a simple soup for four people, cut two onions into small pieces and fry them slowly "
    "in a large pot with a little oil. Do not let them turn brown. Add three carrots and half a "
    "celery root, both cut into cubes, and stir for a few minutes. Then pour in one and a half "
    "litres of water, add salt, pepper and a bay leaf, and bring the pot to the boil. After that "
    "the soup needs only patience: let it simmer with the lid half open for forty minutes. Shortly "
    "before you serve it, take out the bay leaf, stir in a spoonful of butter, and sprinkle the "
    "bowls with parsley. If some of the soup is left, keep it in the fridge. On the second day it "
    "tastes even better than on the first.",
    # A machine
    "A bicycle looks like a simple machine, but it took more than fifty years to find its present "
    "form. The first riders sat on a beam of wood between two wheels and pushed themselves along "
    "with their feet. Later the pedals were fixed to the front wheel. Each turn of the pedals then "
    "turned the wheel exactly once, so the only way to go faster was to make the wheel larger. "
    "Riders sat higher and higher above the road, and when the wheel met a stone, they fell far. "
    "The answer was a chain. With a chain between the pedals and the back wheel, a small wheel can "
    "turn several times while the pedals turn once. Both wheels became small again, the rider came "
    "down, and almost every bicycle since then has been built in the same way.",
    # A letter
    "Dear Thomas, thank you for the parcel, which arrived on Tuesday without a scratch. The books "
    "are exactly what I was looking for, and the children have not left the kite alone since they "
    "found it between them. We had no wind at all until this morning, so they ran up and down the "
    "meadow and dragged it behind them like a sledge. You asked about the house. The roof is "
    "finished, the kitchen is not, and the man who was going to repair the stairs has broken his "
    "leg on somebody else's. We live on the ground floor and call it camping. When you come in "
    "spring, there will be a room for you, with a door, and perhaps with a floor. Bring warm "
    "socks. Your sister sends her love and wants her ladder back. Yours, Margaret.",
    # An experiment
    "The students wanted to know whether plants grow better when somebody talks to them. They "
    "planted forty beans in forty equal pots and placed them on the same windowsill. Every day "
    "after lunch, one half of the class read a story to twenty of the pots, while the other twenty "
    "stood behind a thick door. After three weeks the plants that had been read to were taller by "
    "almost two centimetres. The students were delighted, and their teacher asked a question. Who "
    "had watered the plants? It turned out that the readers had brought a bottle of water along "
    "each day, because the room was warm. So they did it again, and this time both groups got the "
    "same amount of water. The difference was gone. The teacher said that this was the better "
    "result, because now they had learned something about experiments.",
)
